"""Plans: what is learnt, what is held out, and which samples may be trusted."""

import json
from pathlib import Path

import pytest
from pip_tiny import write_pairs, write_slips

from pipkie_cli.errors import InputError, OutputError, UsageError
from pipkie_cli.evaluate import Labelled, SetRules
from pipkie_cli.nouns import Key
from pipkie_cli.train import PipPlan, Recipe, plan_pip
from pipkie_cli.train.pip_sources import LabelledSource, known_values


def test_pairs_are_held_out_by_the_seed(tmp_path: Path) -> None:
    """Another seed, other pairs; nothing is on both sides."""
    pairs = write_pairs(tmp_path / "pairs", 12)
    plans = [plan_pip("m", "mask", [pairs], tmp_path / "o", Recipe(), seed=seed) for seed in (0, 0, 1)]
    texts = [{plan.held_out[at].values[0][1] for at in range(len(plan.held_out))} for plan in plans]
    assert texts[0] == texts[1] != texts[2]
    for plan, held_out in zip(plans, texts, strict=True):
        learnt = {plan.learn[at].values[0][1] for at in range(len(plan.learn))}
        assert not learnt & held_out
        assert len(learnt | held_out) == 12


def test_documents_of_a_split_stay_apart(tmp_path: Path) -> None:
    slips = write_slips(tmp_path / "slips")
    (slips / "split.json").write_text(json.dumps({"train": ["s0", "s1", "s2"], "test": ["s7"]}))
    told = {"templates": [str(slips / "slip.yaml")], "part": "train", "held_out": "test"}
    plan = plan_pip("m", "kv", [slips], tmp_path / "o", Recipe(), **told)
    assert isinstance(plan.learn, LabelledSource)
    assert isinstance(plan.held_out, LabelledSource)
    assert [one.path.stem for one in plan.learn.documents] == ["s0", "s1", "s2"]
    assert [one.path.stem for one in plan.held_out.documents] == ["s7"]
    sample = plan.learn[0]
    assert {key.name: value for key, value in sample.values} == {"total": "1.50", "day": None}
    assert sample.pictures[0].shape == (56, 112, 3)


def test_each_document_is_asked_by_its_type(tmp_path: Path) -> None:
    """With several templates; one of no named type is left out."""
    slips = write_slips(tmp_path / "slips")
    rows = [json.loads(line) for line in (slips / "labels.jsonl").read_text().splitlines()]
    for row, kind in zip(rows, ("slip", "note", "other") * 3, strict=False):
        row["document_type"] = kind
    (slips / "labels.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    note = (slips / "slip.yaml").read_text().replace("name: slip", "name: note").replace("day:", "date_of_it:")
    (slips / "note.yaml").write_text(note)
    names = [str(slips / "slip.yaml"), str(slips / "note.yaml")]
    plan = plan_pip("m", "kv", [slips], tmp_path / "o", Recipe(), templates=names)
    sources = [plan.learn, plan.held_out]
    asked = {(s.documents[at].document_type, len(s[at].values)) for s in sources for at in range(len(s))}
    assert asked == {("slip", 2), ("note", 1)}


@pytest.mark.parametrize(
    ("values", "printed", "unverified", "known"),
    [
        ({"total": ("1.50",)}, {}, (), "1.50"),
        ({"total": ("1.50",)}, {"total": ("EUR 1,50",)}, (), "EUR 1,50"),
        ({"total": ()}, {}, (), None),
        ({"total": ("",)}, {}, (), None),
        ({"total": ("1.50",)}, {}, ("total",), "not asked"),
        ({"other": ("1.50",)}, {}, (), "not asked"),
    ],
)
def test_what_is_taught_of_a_label(values, printed, unverified, known) -> None:
    """The text as printed first; null is unknown; what nobody labelled, or nobody found on the page, is not asked."""
    label = Labelled(Path("a"), "a", "slip", values, printed, unverified=frozenset(unverified))
    found = dict(
        (key.name, value) for key, value in known_values(label, [Key("total", "amount", "total")], SetRules("x"))
    )
    assert found == ({} if known == "not asked" else {"total": known})


def test_faults_are_told_before_anything_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slips = write_slips(tmp_path / "slips")
    template = (slips / "slip.yaml").read_text().replace("total:", "sum:").replace("day:", "when:")
    (tmp_path / "other.yaml").write_text(template.replace("prompt: day", "prompt: when"))
    with pytest.raises(InputError):
        plan_pip("m", "kv", [slips], tmp_path / "o", Recipe(), templates=[str(tmp_path / "other.yaml")])
    with pytest.raises(UsageError, match="one folder"):
        plan_pip("m", "kv", [slips, slips], tmp_path / "o", Recipe(), templates=[str(slips / "slip.yaml")])
    monkeypatch.setattr("pipkie_cli.train.pip_plan.find_spec", lambda name: None if name == "peft" else name)
    with pytest.raises(UsageError, match=r"peft.*pip install \"pipkie\[mllm,train\]\""):
        plan_pip("m", "mask", [slips], tmp_path / "o", Recipe())


def test_a_run_killed_while_it_wrote_its_checkpoint_goes_on(tmp_path: Path) -> None:
    """Its state is taken away last: as long as that is there, the folder is not finished."""
    pairs = write_pairs(tmp_path / "pairs")

    def plan() -> PipPlan:
        return plan_pip("m", "mask", [pairs], tmp_path / "o", Recipe())

    first = plan()
    folder = first.folder
    folder.mkdir(parents=True)
    (folder / "plan.json").write_text(json.dumps(first.told()))
    (folder / "state.pt").touch()
    (tmp_path / "o" / "config.json").touch()
    assert plan().recipe == Recipe()
    (folder / "state.pt").unlink()
    with pytest.raises(OutputError, match="exists already"):
        plan()
