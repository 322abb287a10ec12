"""Options that several commands share, and the `RunOptions` made of them."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, cast

import typer
from typer.core import TyperGroup

from pipkie_cli.errors import UsageError
from pipkie_cli.nouns import Decode, RunOptions

SPLITS = ("auto", "page", "never")
DECODES = ("pip", "ar")

TemplateNames = Annotated[
    list[str] | None,
    typer.Option(
        "--template",
        "-t",
        metavar="NAME|FILE",
        help="A template that documents may have: a name or a .yaml file. Repeatable; one of them is then used "
        "whatever the document looks like (default: all, and none may fit).",
    ),
]
TemplateFolder = Annotated[
    Path | None,
    typer.Option("--templates", metavar="DIR", help="A folder of your own templates, beside those that come along."),
]
ModelName = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME|DIR|ORG/NAME[@REV]",
        show_default=False,
        help="The model that reads: mini, the folder of a checkpoint, or one on Hugging Face (default: mini).",
    ),
]
MaxPages = Annotated[
    int,
    typer.Option(
        "--max-pages",
        metavar="N",
        min=1,
        max=100_000,
        show_default=False,
        help="Pages read of one document, from the first (default: 50).",
    ),
]
MinConfidence = Annotated[
    float,
    typer.Option(
        "--min-confidence",
        metavar="P",
        min=0,
        max=1,
        show_default=False,
        help="Confidence, 0 to 1, under which a person should look: what is less sure keeps its value, is flagged "
        "low_confidence and makes the record review (default: 0.5).",
    ),
]
Passwords = Annotated[
    list[str] | None,
    typer.Option("--password", metavar="P", help="A password to try on encrypted PDFs. Repeatable."),
]
DecodeHow = Annotated[
    str,
    typer.Option(
        "--decode",
        metavar="pip|ar",
        show_default=False,
        help="Of a model that reads pixels: all values in one pass, or token by token, as an ordinary checkpoint was "
        "trained (default: pip).",
    ),
]
Passes = Annotated[
    int,
    typer.Option(
        "--passes",
        metavar="N",
        min=1,
        max=8,
        show_default=False,
        help="Of a model that reads pixels: at most so many passes; after the first only what it is unsure of is read "
        "again (default: 1).",
    ),
]
MaxPixels = Annotated[
    int | None,
    typer.Option(
        "--max-pixels",
        metavar="N",
        min=10_000,
        max=16_000_000,
        help="Of a model that reads pixels: a larger page is scaled down to so many (default: the template's, else "
        "what the model was trained with).",
    ),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option("--cache", metavar="DIR", help="Keep read pages there, and do not read the same file twice."),
]
Split = Annotated[
    str,
    typer.Option(
        "--split",
        metavar="auto|page|never",
        show_default=False,
        help="Whether a file may hold several documents, each with a record of its own: cut where another document "
        "begins, cut at every page, or never (default: never).",
    ),
]
Verbosity = Annotated[
    int,
    typer.Option(
        "-v",
        "--verbose",
        count=True,
        show_default=False,
        help="Say what is decided; -vv: everything, also document text.",
    ),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Say nothing unless something failed.")]


def run_options(
    names: list[str] | None,
    folder: Path | None = None,
    model: str = "mini",
    max_pages: int = 50,
    passwords: list[str] | None = None,
    min_confidence: float = 0.5,
    split: str = "never",
    cache: Path | None = None,
    cache_bytes: int = 2_000_000_000,
) -> RunOptions:
    """Everything the user chose. Raises TemplateError, UsageError."""
    from pipkie_cli.templates import find_templates

    if split not in SPLITS:
        raise UsageError(f"--split {split} is not known", hint=f"use {', '.join(SPLITS)}")
    return RunOptions(
        templates=find_templates(names or [], folder),
        template_given=bool(names),
        model=model,
        max_pages=max_pages,
        passwords=tuple(passwords or ()),
        confidence_floor=min_confidence,
        split=cast(Literal["auto", "page", "never"], split),
        cache=cache,
        cache_bytes=cache_bytes,
    )


def with_pixels(options: RunOptions, decode: str, passes: int, max_pixels: int | None) -> RunOptions:
    """The options with what the user wants of a model that reads pixels. Raises UsageError."""
    from pipkie_cli.models import reads_pixels

    if decode not in DECODES:
        raise UsageError(f"--decode {decode} is not known", hint=f"use {' or '.join(DECODES)}")
    if decode == "ar" and passes > 1:
        raise UsageError("--passes goes with one-pass decoding", hint="leave out --decode ar")
    if (decode, passes, max_pixels) != ("pip", 1, None) and not reads_pixels(options.model):
        raise UsageError(
            f"--decode, --passes and --max-pixels are for models that read pixels; {options.model} points at words",
            hint="leave them out, or name a multimodal checkpoint with --model",
        )
    return replace(options, decode=cast(Decode, decode), passes=passes, max_pixels=max_pixels)


def group(help_text: str, kind: type[TyperGroup] | None = None) -> typer.Typer:
    """A group of commands, `pipkie NAME COMMAND`, of which none is carried out unasked."""
    return typer.Typer(
        cls=kind, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=True, help=help_text
    )
