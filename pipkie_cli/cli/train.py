"""`pipkie train`: fine-tune the embedded model, or train a multimodal checkpoint, on documents of one's own."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from pipkie_cli.cli import options as shared
from pipkie_cli.cli import train_options as options
from pipkie_cli.errors import UsageError

if TYPE_CHECKING:
    from pipkie_cli.train import Attention, PipPlan, Stage


def train(
    data: options.Data,
    output: options.Output,
    template: options.Templates = None,
    init: options.Init = None,
    split: options.Part = None,
    held_out: options.HeldOut = None,
    minutes: options.Minutes = None,
    model: options.Model = None,
    stage: options.StageName = None,
    recipe: options.RecipeName = None,
    attention: options.AttentionName = "bidirectional",
    device: options.Device = "auto",
    dry_run: options.DryRun = False,
    seed: options.Seed = 0,
    cache: shared.CacheFolder = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Teach the embedded model documents of your own: 30 to 300 labelled ones, minutes on a CPU.

    Prints how many held-out documents are read rightly before and after, then one line of JSON with every figure.
    With --model a multimodal checkpoint learns instead, on a GPU; the same command goes on where a killed one stopped.

    Example: pipkie train --data orders -t order.yaml -o mine; pipkie extract new --model mine -t order.yaml
    """
    from pipkie_cli.cli import console
    from pipkie_cli.train import load_recipe, plan_finetuning, plan_pip, run_finetuning

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    say = (lambda _: None) if quiet else console.say
    if model is not None:
        _refuse("--model does not take", {"--init": init, "--minutes": minutes, "--cache": cache})
        which, how = _stage(stage), _attention(attention)
        steps = load_recipe(recipe, which)
        pip = plan_pip(
            model, which, data, output, steps,
            templates=template or (), part=split, held_out=held_out, attention=how, seed=seed, device=device,
        )  # fmt: skip
        console.print_data(stdout, _cost(pip) if dry_run else _learn(pip, say, quiet))
        return
    _refuse("--model is needed for", {"--stage": stage, "--recipe": recipe, "--dry-run": dry_run or None})
    if len(data) != 1 or template is None or len(template) != 1:
        raise UsageError("the embedded model learns one folder by one template", hint="give --data and -t once each")
    plan = plan_finetuning(
        data[0], template[0], output,
        part=split, held_out=held_out, init=init or "mini", minutes=minutes or 10.0, seed=seed,
    )  # fmt: skip
    for note in plan.notes:
        say(note)
    with console.progress(plan.n_documents, quiet or verbose > 0) as step:  # -v writes lines through a bar
        report = run_finetuning(plan, cache, step, say)
    console.print_data(stdout, console.report_lines(report.table(), report.figures))


def _cost(plan: "PipPlan") -> Iterable[str]:
    """What the training of a multimodal checkpoint would take."""
    from pipkie_cli.cli import console
    from pipkie_cli.train import pip_cost

    cost = pip_cost(plan)
    return console.report_lines(cost.table(), cost.figures)


def _learn(plan: "PipPlan", say: Callable[[str], None], quiet: bool) -> Iterable[str]:
    from pipkie_cli.cli import console
    from pipkie_cli.train import train_pip

    with console.progress(plan.recipe.steps, quiet) as step:
        report = train_pip(plan, step, say)
    return console.report_lines(report.table(), report.figures) if report.figures else ()


def _refuse(what: str, given: dict[str, object]) -> None:
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise UsageError(f"{what} {', '.join(named)}", hint="see `pipkie train --help`")


def _stage(name: str | None) -> "Stage":
    if name not in ("mask", "kv"):
        said = f"--stage {name} is not known" if name else "--model needs a --stage"
        raise UsageError(said, hint="mask fills in texts of pictures, kv then learns the values of keys")
    return cast("Stage", name)


def _attention(name: str) -> "Attention":
    if name not in ("bidirectional", "causal"):
        raise UsageError(f"--attention {name} is not known", hint="use bidirectional or causal")
    return cast("Attention", name)
