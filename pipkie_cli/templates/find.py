"""Where templates lie: shipped with pipkie, in the user's folder, or one named file."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

from pipkie_cli.errors import PipkieError, TemplateError
from pipkie_cli.nouns import Template
from pipkie_cli.templates.load import load_template

SUFFIXES = (".yaml", ".yml")


def find_templates(names: Sequence[str], folder: Path | None) -> tuple[Template, ...]:
    """The templates that `names` mean: a template's name, or a path ending in .yaml or .yml; in the order given.

    No names means all shipped ones and those of `folder`, sorted by name; a template of `folder` replaces the shipped
    one of the same name. Every template of `folder` is read and must be right, asked for or not. Raises TemplateError.
    """
    if not names:
        found = _by_name(folder)
        return tuple(found[name] for name in sorted(found))
    available: dict[str, Template] | None = None
    chosen: dict[str, Template] = {}
    for name in names:
        if name.lower().endswith(SUFFIXES):
            template = load_template(Path(name))
        else:
            if available is None:
                available = _by_name(folder)
            template = _named(name, available)
        other = chosen.setdefault(template.name, template)
        if other.digest != template.digest:
            raise _twice(template, other)
    return tuple(chosen.values())


def shipped_folder() -> Path:
    """The folder of the templates that come with pipkie.

    In a wheel they lie inside the package. In a checkout or an editable install they are the repository's `templates/`,
    recognised by the pyproject.toml beside it: two levels above an installed package is site-packages, where a
    `templates/` may be a stranger's.
    """
    room = Path(__file__).parent
    repository = room.parents[1]
    if (room / "shipped").is_dir():
        return room / "shipped"
    if (repository / "pyproject.toml").is_file() and (repository / "templates").is_dir():
        return repository / "templates"
    raise PipkieError(
        f"the installation is damaged: no shipped templates in {room / 'shipped'}",
        hint="install again: pip install --force-reinstall pipkie",
    )


def _by_name(folder: Path | None) -> dict[str, Template]:
    found = _load_all(_files(shipped_folder()))
    if folder is not None:
        if not folder.is_dir():
            raise TemplateError(f"{folder} is not a folder", hint="give --templates a folder of .yaml files")
        files = _files(folder)
        if not files:
            raise TemplateError(f"{folder} holds no .yaml file", hint="give --templates a folder of .yaml files")
        found.update(_load_all(files))
    return found


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(
            path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
        )
    except OSError as error:
        raise TemplateError(f"{folder} cannot be read: {error.strerror}", hint="check its permissions") from error


def _load_all(files: Iterable[Path]) -> dict[str, Template]:
    found: dict[str, Template] = {}
    for path in files:
        template = load_template(path)
        if template.name in found:
            raise _twice(template, found[template.name])
        found[template.name] = template
    return found


def _named(name: str, available: dict[str, Template]) -> Template:
    if name in available:
        return available[name]
    for template in available.values():
        if Path(template.origin).stem == name:
            raise TemplateError(
                f'no template is named "{name}"',
                hint=f'the file {template.origin} holds the template "{template.name}": ask for that',
            )
    if Path(name).is_dir():
        hint = f"--templates {name} takes all templates of a folder"
        raise TemplateError(f'"{name}" is a folder, not a template', hint=hint)
    if Path(f"{name}.yaml").is_file():
        raise TemplateError(f'no template is named "{name}"', hint=f"the file is meant? --template {name}.yaml")
    close = get_close_matches(name.lower(), available, n=1, cutoff=0.6)
    known = f'did you mean "{close[0]}"?' if close else f"there are: {', '.join(sorted(available))}."
    raise TemplateError(f'no template is named "{name}"', hint=f"{known} A file needs a path that ends in .yaml")


def _twice(template: Template, other: Template) -> TemplateError:
    return TemplateError(
        f'two templates are named "{template.name}": {other.origin} and {template.origin}',
        hint="change the name: line of one of them",
    )
