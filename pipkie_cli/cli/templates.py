"""`pipkie templates`: look at the templates that there are, and make ones of your own."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared
from pipkie_cli.cli.templates_measure import measure_template
from pipkie_cli.cli.templates_try import try_template

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A template's name or a .yaml file.")]


def build() -> typer.Typer:
    """The group of commands."""
    app = shared.group(
        "List templates, show one, print its JSON Schema; start, check, try and test one of your own.\n\n"
        "Example: pipkie templates list",
    )
    app.command("list")(list_templates)
    app.command("show")(show)
    app.command("check", no_args_is_help=True)(check)
    app.command("schema")(schema)
    app.command("new", no_args_is_help=True)(new)
    app.command("try", no_args_is_help=True)(try_template)
    app.command("test", no_args_is_help=True)(measure_template)
    return app


def list_templates(templates: shared.TemplateFolder = None) -> None:
    """List the templates: name, title, keys, file.

    Example: pipkie templates list
    """
    from pipkie_cli.cli import console

    stdout = console.take_stdout()
    found = shared.run_options(None, templates).templates
    width = max(len(template.name) for template in found)
    lines = (
        f"{template.name:<{width}}  {template.title} ({len(template.keys)} keys)  {template.origin}"
        for template in found
    )
    console.print_data(stdout, (console.printable(line) for line in lines))


def show(name: Name, templates: shared.TemplateFolder = None) -> None:
    """Print a template's YAML, to start one of your own from.

    Example: pipkie templates show invoice > my_invoice.yaml
    """
    from pipkie_cli.cli import console

    stdout = console.take_stdout()
    template = shared.run_options([name], templates).templates[0]
    console.print_data(stdout, Path(template.origin).read_text(encoding="utf-8").splitlines())


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Template files.")],
) -> None:
    """Read template files as a run would, and say of each that it is right, or what is wrong in which line.

    All files are read whatever is wrong with one; exit code 4 when something is.

    Example: pipkie templates check samples/templates/membership_form.yaml
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import ExitCode, TemplateError
    from pipkie_cli.templates import check_schema, load_template

    stdout = console.take_stdout()
    right = []
    for path in files:
        try:
            template = load_template(path)
            check_schema(template)
        except TemplateError as error:
            console.complain(error.message, error.hint)
        else:
            said = (
                f"{path}: {template.name}, {_count(len(template.keys), 'key')}, {_count(len(template.rules), 'rule')}"
            )
            right.append(console.printable(said))
    console.print_data(stdout, right)
    if len(right) < len(files):
        raise typer.Exit(ExitCode.BAD_TEMPLATE)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def schema(name: Name, templates: shared.TemplateFolder = None) -> None:
    """Print the JSON Schema of the values that a template asks for.

    Example: pipkie templates schema invoice > invoice.schema.json
    """
    import json

    from pipkie_cli.cli import console
    from pipkie_cli.templates import values_schema

    stdout = console.take_stdout()
    template = shared.run_options([name], templates).templates[0]
    console.print_data(stdout, [json.dumps(values_schema(template), indent=2, ensure_ascii=False)])


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower case letters, digits, underscores.")],
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|-",
            help="Where it goes; - is standard output (default: NAME.yaml in the current folder).",
        ),
    ] = None,
) -> None:
    """Write a small template with comments that say what to change. A file that exists is left alone.

    Example: pipkie templates new delivery_slip
    """
    from pipkie_cli.cli import console
    from pipkie_cli.errors import OutputError
    from pipkie_cli.templates import start_text

    stdout = console.take_stdout()
    text = start_text(name)
    if output == "-":
        console.print_data(stdout, text.splitlines())
        return
    path = Path(output or f"{name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise OutputError(f"{path} exists", hint="name another file with -o") from error
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}", hint="name another file with -o") from error
    console.say(f"{path} is written: change it, then try it with `pipkie templates try {path} DOCUMENT`")
