"""Paths, folders and globs -> inputs."""

import inspect
import os
import shutil
import sys
from pathlib import Path

import make
import pytest

from pipkie_cli.batch import listed_paths, plan_inputs
from pipkie_cli.batch.plan import as_listed
from pipkie_cli.errors import InputError, UsageError
from pipkie_cli.nouns import Input

PDF = b"%PDF-1.7\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `in` in the current directory, with files of every kind."""
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "b.pdf": PDF,
        "a/c.PDF": b"not even one",
        "a/scan": PDF,
        "a/photo.dat": b"\x89PNG\r\n\x1a\n",
        "late-header": b"junk\n" * 100 + PDF,
        "notes.txt": b"some text",
        "Makefile": b"all:",
        ".hidden.pdf": PDF,
        ".git/x.pdf": PDF,
        "old.jsonl": b"{}",
        "old.jsonl.part": b"{",
    }.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "in"


ALL = ["in/a/c.PDF", "in/a/photo.dat", "in/a/scan", "in/b.pdf", "in/late-header"]


def shown(*paths: str, exclude: Path | None = None) -> list[str]:
    return [item.shown for item in plan_inputs(paths, exclude).inputs]


@pytest.mark.usefixtures("folder")
class TestFolders:
    def test_documents_count_by_suffix_or_first_bytes(self) -> None:
        """A known suffix is enough whatever the content; without one the first bytes decide. Sorted by path."""
        assert shown("in") == ALL

    def test_hidden_and_own_files_are_left_out_silently_others_are_named(self) -> None:
        """notes.txt is told to the user; .git and pipkie's own records are not worth a word."""
        assert plan_inputs(["in"]).left_out == ("in/Makefile", "in/notes.txt")

    def test_paths_are_shown_as_given(self, folder: Path) -> None:
        """A trailing slash and ./ change nothing; an absolute path stays absolute."""
        assert shown("./in/") == ALL
        assert shown(str(folder)) == [str(folder.parent / name) for name in ALL]

    def test_the_current_folder_is_shown_without_a_dot(self) -> None:
        """`pipkie extract .` names files as `ls` does."""
        assert shown(".") == ALL

    def test_each_file_is_read_once(self) -> None:
        """Named twice, within a folder and by a glob: still one record."""
        assert shown("in", "in/b.pdf", "./in/b.pdf", "in/*.pdf", "in/a") == ALL

    def test_a_named_file_is_read_whatever_it_is(self) -> None:
        """The user asked for it: its record says why it is no document."""
        assert shown("in/notes.txt", "in/.hidden.pdf") == ["in/.hidden.pdf", "in/notes.txt"]
        assert plan_inputs(["in", "in/notes.txt"]).left_out == ("in/Makefile",)

    def test_the_output_is_no_input(self) -> None:
        """The run's own output in the folder is left out, under whatever name."""
        assert "in/b.pdf" not in shown("in", exclude=Path("in/b.pdf"))

    def test_an_output_named_as_input_is_refused(self) -> None:
        """It would be overwritten."""
        with pytest.raises(UsageError, match="both input and output"):
            plan_inputs(["in/b.pdf"], Path("./in/b.pdf"))


@pytest.mark.usefixtures("folder")
class TestGlobs:
    @pytest.mark.parametrize(
        ("pattern", "expected"),
        [
            ("in/*.pdf", ["in/b.pdf"]),
            ("in/[ab]*", ["in/a/c.PDF", "in/a/photo.dat", "in/a/scan", "in/b.pdf"]),
            ("in/**/*.PDF", ["in/a/c.PDF"]),
            ("i?/a/scan", ["in/a/scan"]),
            ("**", ALL),
            ("in/**/scan", ["in/a/scan"]),
        ],
    )
    def test_a_quoted_glob_is_expanded(self, pattern: str, expected: list[str]) -> None:
        """As a shell would, with `**` for any depth; hidden files are left out."""
        assert shown(pattern) == expected

    def test_a_glob_without_a_match_is_an_error(self) -> None:
        """Nothing to read is more likely a mistake than a wish."""
        with pytest.raises(InputError, match=r"nothing matches in/\*\.tiff"):
            plan_inputs(["in/*.tiff"])

    def test_a_name_with_glob_letters_is_a_name_first(self, folder: Path) -> None:
        """`scan [1].pdf` exists and is meant."""
        (folder / "scan [1].pdf").write_bytes(PDF)
        (folder / "scan 1.pdf").write_bytes(PDF)
        assert shown("in/scan [1].pdf") == ["in/scan [1].pdf"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF", "PDF"])
def test_every_format_is_known_by_its_first_bytes(tmp_path: Path, kind: str) -> None:
    """Scanners that give no suffix are served."""
    (tmp_path / "scan").write_bytes(make.text_pdf() if kind == "PDF" else make.encode(make.picture(), kind))
    assert [item.path.name for item in plan_inputs([str(tmp_path)]).inputs] == ["scan"]


class TestHostileFolders:
    def test_loops_and_pipes_do_not_hang(self, folder: Path) -> None:
        """Links to folders are named and not followed, a FIFO is never opened, a broken link gets its record."""
        (folder / "loop").symlink_to(".")
        (folder / "a" / "loop2").symlink_to("..")
        (folder / "gone.pdf").symlink_to("missing.pdf")
        os.mkfifo(folder / "pipe.pdf")
        os.mkfifo(folder / "pipe")
        plan = plan_inputs(["in", "in/**/*"])
        assert [item.shown for item in plan.inputs] == sorted([*ALL, "in/gone.pdf", "in/pipe.pdf"])
        assert plan.left_out == (
            "in/Makefile",
            "in/a/loop2 (a link to a folder)",
            "in/loop (a link to a folder)",
            "in/notes.txt",
            "in/pipe",
        )

    def test_a_folder_that_ends_in_pdf_is_a_folder(self, folder: Path) -> None:
        """Content decides, not the name."""
        (folder / "folder.pdf").mkdir()
        (folder / "folder.pdf" / "x.pdf").write_bytes(PDF)
        assert shown("in/folder.pdf") == ["in/folder.pdf/x.pdf"]

    def test_a_name_that_is_not_utf_8_can_be_shown(self, folder: Path) -> None:
        """Its bytes are escaped in the record, the path itself stays as it is."""
        name = os.fsdecode(b"caf\xe9.pdf")
        (folder / name).write_bytes(PDF)
        found = next(item for item in plan_inputs(["in"]).inputs if "caf" in item.shown)
        assert found.shown == r"in/caf\xe9.pdf"
        assert found.path.read_bytes() == PDF

    def test_a_subfolder_that_cannot_be_listed_becomes_an_input(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its documents must not be lost silently: the folder's failed record says so."""
        scandir = os.scandir

        def refuse(path: str) -> "os._ScandirIterator[str]":
            if path.endswith("a"):
                raise PermissionError(13, "Permission denied")
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        assert shown("in") == ["in/a", "in/b.pdf", "in/late-header"]

    def test_a_missing_path_is_an_error(self) -> None:
        """More likely an unmounted share than an empty wish."""
        with pytest.raises(InputError, match="nowhere does not exist") as caught:
            plan_inputs(["nowhere"])
        assert caught.value.exit_code == 7

    def test_an_empty_path_is_an_error(self) -> None:
        """`pipkie extract "$FOLDER"` with FOLDER unset must not read the current folder instead."""
        with pytest.raises(InputError, match="an empty path") as caught:
            plan_inputs([""])
        assert caught.value.exit_code == 7

    def test_a_folder_that_cannot_be_listed_is_an_error(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Named by the user and unreadable as a whole."""

        def refuse(path: str) -> list[str]:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "listdir", refuse)
        with pytest.raises(InputError, match="cannot be listed: Permission denied"):
            plan_inputs([str(folder)])

    def test_an_empty_folder_is_no_error(self, folder: Path) -> None:
        """A nightly folder may be empty."""
        shutil.rmtree(folder)
        folder.mkdir()
        assert plan_inputs(["in"]).inputs == ()


ODD_NAMES = (
    b"\xff.pdf",
    b"\\xff.pdf",
    b"a\nb.pdf",
    b"c\rd.pdf",
    b"[x]\n.pdf",
    b" .pdf",
    b"\\xff\\xff.pdf",
    b"\\xff\xff.pdf",
)


def write_odd(folder: Path) -> list[bytes]:
    paths = [os.path.join(os.fsencode(folder), name) for name in ODD_NAMES]
    for path in paths:
        with open(path, "wb") as file:
            file.write(PDF)
    return paths


def test_every_input_is_shown_by_a_name_of_its_own(tmp_path: Path) -> None:
    """Byte FF is shown as an escape, which is another file's name: both are read, each under its own name."""
    paths = write_odd(tmp_path)
    inputs = plan_inputs([str(tmp_path)]).inputs
    assert len({item.shown for item in inputs}) == len(inputs) == len(ODD_NAMES)
    assert sorted(os.fsencode(item.path) for item in inputs) == sorted(paths)
    assert {item.shown: item.path for item in inputs}[f"{tmp_path}/\\xff.pdf"] == tmp_path / "\\xff.pdf"


def test_a_list_of_paths_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Whatever the names: line breaks, letters of globs, bytes that are not UTF-8."""
    paths = write_odd(tmp_path)
    listed = b"".join(as_listed(Input(Path(os.fsdecode(path)), "shown")) + b"\n" for path in paths)
    inputs = plan_inputs(listed_paths(listed, null=False)).inputs
    assert sorted(os.fsencode(item.path) for item in inputs) == sorted(paths)


def test_a_list_of_windows_begins_with_a_mark() -> None:
    """Notepad writes a byte order mark and CR LF."""
    assert listed_paths(b"\xef\xbb\xbfa.pdf\r\nb.pdf\r\n", null=False) == ["a.pdf", "b.pdf"]


def test_a_list_of_the_other_kind_is_told_in_a_short_message(tmp_path: Path) -> None:
    """NUL between the paths is a matter of --null; a line without end is not printed whole."""
    with pytest.raises(InputError, match="NUL") as refused:
        plan_inputs(["a.pdf\0b.pdf\0"])
    assert "--null" in refused.value.hint
    with pytest.raises(InputError) as missing:
        plan_inputs(["x" * 1_000_000])
    assert len(missing.value.message) < 400


@pytest.mark.parametrize("given", ["deep", "deep/**/*.pdf"])
def test_folders_may_lie_in_each_other_as_deep_as_they_like(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Deeper than Python's own stack; here that has room for a hundred calls."""
    monkeypatch.chdir(tmp_path)
    inner = Path("deep", *["d"] * 300)
    inner.mkdir(parents=True)
    (inner / "x.pdf").write_bytes(PDF)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        found = shown(given)
    finally:
        sys.setrecursionlimit(limit)
    assert found == [str(inner / "x.pdf")]


def test_a_folder_that_documents_are_moved_to_is_not_read(folder: Path) -> None:
    """Below what was named; named itself it is."""
    (folder / "done").mkdir()
    (folder / "done" / "old.pdf").write_bytes(PDF)
    done = Path("in/done")
    assert [item.shown for item in plan_inputs(["in"], not_below=[done, None]).inputs] == ALL
    assert [item.shown for item in plan_inputs(["in/**/*"], not_below=[done]).inputs] == ALL
    assert [item.shown for item in plan_inputs(["in/done"], not_below=[done]).inputs] == ["in/done/old.pdf"]
    assert "in/b.pdf" in [item.shown for item in plan_inputs(["in"], not_below=[Path()]).inputs]


def test_a_way_back_from_a_link_is_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """far/sub is linked as link, so link/../x.pdf is far/x.pdf and not x.pdf."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "far" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("far/sub")
    for name in ("far/x.pdf", "x.pdf"):
        (tmp_path / name).write_bytes(PDF)
    assert shown("link/../x.pdf", "x.pdf", "far/../x.pdf") == ["link/../x.pdf", "x.pdf"]
