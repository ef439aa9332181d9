"""Shared context of all commands: global options, settings and terminal output."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from edison.kit.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from edison.settings import Settings

FAILURE = 1
USAGE = 2

out = Console(soft_wrap=True, highlight=False)
errors = Console(stderr=True, soft_wrap=True, highlight=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    data_dir: Path | None
    config: Path | None
    as_json: bool
    quiet: bool

    def settings(self) -> "Settings":
        """The settings. Prints each invalid setting and exits with 1."""
        from pydantic import ValidationError

        from edison.settings import config_file, load_settings

        if self.config is not None and not self.config.is_file():
            fail(f"Settings file not found: {self.config}.")
        try:
            return load_settings(config=self.config, data_dir=self.data_dir)
        except ValidationError as wrong:
            for found in wrong.errors():
                name = ".".join(str(part) for part in found["loc"]).lower().removeprefix("edison_")
                what = "Unknown setting" if found["type"] == _UNKNOWN else found["msg"]
                text = escape(f"{name} (EDISON_{name.upper()}): {what}.")
                errors.print(f"[red]Error:[/] Setting {text}")
            sys.exit(FAILURE)
        except (ValueError, OSError) as wrong:
            file = self.config or config_file(self.data_dir)
            fail(f"The settings file {file} cannot be read: {wrong}.")

    def usable_data_dir(self, settings: "Settings") -> Path:
        """The data directory, created if missing. Exits with 1 if it is not writable."""
        folder = settings.data_dir
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as wrong:
            fail(
                f"The data directory {folder} cannot be created ({wrong.strerror}). {_FIX_DATA_DIR}"
            )
        # Also detects a read-only file system, even as root.
        if not os.access(folder, os.W_OK | os.X_OK):
            fail(f"The data directory {folder} is not writable. {_FIX_DATA_DIR}")
        return folder

    def report(self, text: str, /, **data: Any) -> None:
        """Prints a result: one line of text, or `data` as JSON with `--json`."""
        if self.as_json:
            print(json.dumps(data, default=str))  # noqa: T201 - this is the output
        else:
            out.print(text)

    def say(self, text: str) -> None:
        """Prints a notice, unless `--quiet` or `--json`."""
        if not self.quiet and not self.as_json:
            out.print(text)


_UNKNOWN = "extra_forbidden"
_FIX_DATA_DIR = "Choose another with --data-dir or EDISON_DATA_DIR."


def context_of(typer_context: typer.Context) -> Context:
    context: Context = typer_context.find_root().obj
    return context


def fail(message: str, *, code: int = FAILURE) -> NoReturn:
    errors.print("[red]Error:[/]", escape(message))
    sys.exit(code)
