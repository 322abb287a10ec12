"""`pipkie models`: look at the models that there are, fetch one, make one fit."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared

Name = Annotated[
    str, typer.Argument(metavar="MODEL", help="As for --model: mini, a checkpoint's folder, or ORG/NAME[@REVISION].")
]
MADE_FIRST = "it was not trained to fill all values in one pass: train it, or read with --decode ar"


def build() -> typer.Typer:
    """The group of commands."""
    app = shared.group(
        "List the models on this machine, show and verify one; download one, convert one.\n\n"
        "Example: pipkie models list",
    )
    app.command("list")(list_models)
    app.command("show", no_args_is_help=True)(show)
    app.command("verify", no_args_is_help=True)(verify)
    app.command("download", no_args_is_help=True)(download)
    app.command("convert", no_args_is_help=True)(convert)
    return app


def list_models() -> None:
    """List the models on this machine: the one that comes along, and those of the cache of Hugging Face (HF_HOME).

    A line each: what --model takes, what records call it, whether all values are read in one pass.

    Example: pipkie models list
    """
    from pipkie_cli.cli import console
    from pipkie_cli.models import models_here

    stdout = console.take_stdout()
    found = models_here()
    name, revision = (max(len(getattr(one, part)) for one in found) for part in ("name", "revision"))
    lines = (f"{one.name:<{name}}  {one.revision:<{revision}}  {_last_fact(dict(one.facts))}".rstrip() for one in found)
    console.print_data(stdout, (console.printable(line) for line in lines))


def _last_fact(facts: dict[str, str]) -> str:
    if "usable" in facts:
        return facts["usable"]
    return f"one pass: {facts['one pass'].split(':')[0].split(',')[0]}" if "one pass" in facts else facts["reads"]


def show(model: Name) -> None:
    """Show what a model is: what it reads, its weights, how it was trained. No weight is loaded, nothing fetched.

    Example: pipkie models show mini
    """
    from pipkie_cli.cli import console
    from pipkie_cli.models import about_model

    stdout = console.take_stdout()
    about = about_model(model)
    facts = (("revision", about.revision), ("folder", str(about.folder)), *about.facts)
    width = max(len(what) for what, _ in facts)
    console.print_data(stdout, (console.printable(f"{what:<{width}}  {how}") for what, how in facts))


def verify(model: Name) -> None:
    """Check that a model is whole, and load it as a run would: files, content, names, tokens, attention.

    Needs as much memory as the weights. Exit code 6 for what is wrong.

    Example: pipkie models verify mini
    """
    from pipkie_cli.cli import console
    from pipkie_cli.models import verify_model

    console.set_up()
    stdout = console.take_stdout()
    console.print_data(stdout, (console.printable(line) for line in verify_model(model)))


def download(
    name: Annotated[str, typer.Argument(metavar="ORG/NAME[@REVISION]", help="A model on Hugging Face.")],
) -> None:
    """Fetch a model into the cache of Hugging Face: weights as safetensors, no code. Prints its folder.

    HF_HOME says where the cache lies, HF_TOKEN opens private ones, HF_HUB_OFFLINE=1 forbids the network.

    Example: pipkie models download Qwen/Qwen2-VL-2B-Instruct
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import UsageError
    from pipkie_cli.models import about_model
    from pipkie_cli.models.mllm import fetch

    stdout = console.take_stdout()
    if "/" not in name or Path(name).exists():
        raise UsageError(f"{name} is no name on Hugging Face", hint="give ORG/NAME, such as Qwen/Qwen2-VL-2B-Instruct")
    folder = fetch(name)
    facts = dict(about_model(str(folder)).facts)
    for what in ("usable", "one pass"):
        if what in facts:
            console.say(f"{what}: {facts[what]}")
    console.print_data(stdout, [str(folder)])


def convert(
    source: Annotated[
        str, typer.Argument(metavar="MODEL", help="A checkpoint's folder, or ORG/NAME[@REVISION] that was downloaded.")
    ],
    target: Annotated[Path, typer.Argument(metavar="NEW_FOLDER", help="Where the result goes; it must not exist.")],
) -> None:
    """Turn InternVL2-1B, 2B or 8B from its published chat format into a checkpoint that needs no code of its own.

    The weights stay what they are. Needs as much memory as they do.

    Example: pipkie models convert OpenGVLab/InternVL2-2B internvl2-2b
    """
    from pipkie_cli.cli import console
    from pipkie_cli.models import local_folder
    from pipkie_cli.models.mllm import convert_chat

    console.set_up()
    convert_chat(local_folder(source), target, console.say)
    console.say(f"{target} is written; {MADE_FIRST}")
