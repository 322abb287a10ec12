"""`pipkie train`: fine-tune the embedded model on labelled documents of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared


def train(
    data: Annotated[
        Path,
        typer.Option(
            "--data",
            metavar="DIR|FILE",
            help="A folder with documents/ and labels.jsonl, or a JSONL of records that a person corrected.",
        ),
    ],
    template: Annotated[
        str, typer.Option("--template", "-t", metavar="NAME|FILE", help="The template whose keys are learnt.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="A new folder for the model, to be given to --model.")
    ],
    init: Annotated[
        str,
        typer.Option(
            "--init",
            metavar="mini|DIR",
            show_default=False,
            help="The weights to start from: those that come along, or a folder that training wrote (default: mini).",
        ),
    ] = "mini",
    split: Annotated[
        str | None,
        typer.Option("--split", metavar="PART", help="The part of split.json to learn from (default: all documents)."),
    ] = None,
    held_out: Annotated[
        str | None,
        typer.Option(
            "--held-out",
            metavar="PART",
            help="The part of split.json that is only measured on (default: a tenth to a fifth, drawn by --seed).",
        ),
    ] = None,
    minutes: Annotated[
        float,
        typer.Option(
            "--minutes",
            metavar="M",
            min=0.01,
            max=1000,
            show_default=False,
            help="Clock time of the learning, after the documents are read (default: 10). It ends earlier "
            "where nothing improves any more.",
        ),
    ] = 10.0,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", show_default=False, help="Of everything drawn by chance (default: 0).")
    ] = 0,
    cache: shared.CacheFolder = None,
    verbose: shared.Verbosity = 0,
    quiet: shared.Quiet = False,
) -> None:
    """Teach the embedded model documents of your own: 30 to 300 labelled ones, minutes on a CPU.

    Prints how many held-out documents are read rightly before and after, then one line of JSON with every figure.

    Example: pipkie train --data orders -t order.yaml -o mine; pipkie extract new --model mine -t order.yaml
    """
    from pipkie_cli.cli import console
    from pipkie_cli.train import plan_finetuning, run_finetuning

    console.set_up(verbose, quiet)
    stdout = console.take_stdout()
    plan = plan_finetuning(data, template, output, part=split, held_out=held_out, init=init, minutes=minutes, seed=seed)
    say = (lambda _: None) if quiet else console.say
    for note in plan.notes:
        say(note)
    with console.progress(plan.n_documents, quiet or verbose > 0) as step:  # -v writes lines through a bar
        report = run_finetuning(plan, cache, step, say)
    console.print_data(stdout, console.report_lines(report.table(), report.figures))
