"""`pipkie templates`: look at the templates that there are."""

from pathlib import Path
from typing import Annotated

import typer

from pipkie_cli.cli import options as shared

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A template's name or a .yaml file.")]


def build() -> typer.Typer:
    """The group of commands."""
    app = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        help="List templates, show one, or print its JSON Schema.\n\nExample: pipkie templates list",
    )
    app.command("list")(list_templates)
    app.command("show")(show)
    app.command("schema")(schema)
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
