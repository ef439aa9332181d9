"""`edison doctor`: effective settings and problems of this installation."""

import asyncio
import json
import sys
from dataclasses import asdict

import typer
from rich.markup import escape
from rich.table import Table

from edison.cli.context import context_of, out

_MARKS = {"ok": "[green]✓[/]", "warning": "[yellow]![/]", "problem": "[red]✗[/]"}


def examine(typer_context: typer.Context) -> None:
    """Print settings with their sources and check the installation. Exits with 1 on a problem."""
    from edison.app import checkup
    from edison.settings import config_file

    context = context_of(typer_context)
    settings = context.settings()
    file = context.config or config_file(context.data_dir)
    options = frozenset() if context.data_dir is None else frozenset({"data_dir"})
    values = checkup.effective_values(settings, file=file, options=options)
    findings = asyncio.run(checkup.examine(settings))
    if context.as_json:
        report = {
            "settings": [asdict(value) for value in values],
            "findings": [asdict(finding) for finding in findings],
        }
        print(json.dumps(report, indent=2))  # noqa: T201 - this is the output
    else:
        if not context.quiet:
            table = Table("Setting", "Value", "Source", box=None, header_style="bold")
            for value in values:
                table.add_row(value.name, value.value, value.source)
            out.print(table, "")
        for finding in findings:
            subject, message = escape(finding.subject), escape(finding.message)
            out.print(f" {_MARKS[finding.verdict]} [bold]{subject}[/]: {message}")
            if finding.fix:
                out.print(f"   → {escape(finding.fix)}")
    if any(finding.verdict == "problem" for finding in findings):
        sys.exit(1)
