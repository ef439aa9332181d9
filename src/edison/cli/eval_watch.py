"""`edison eval --watch`: evaluates again when a file next to the configuration changes."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from edison.cli.context import Context, errors
from edison.cli.eval_session import EvalOptions, run_evaluation
from edison.cli.exit_codes import INTERRUPTED
from edison.kit.errors import EdisonError
from edison.kit.event_loop import run

if TYPE_CHECKING:
    from edison.evals.request import EvalRequest

_SUFFIXES = frozenset((
    ".csv", ".j2", ".js", ".json", ".jsonl", ".md", ".mjs", ".py", ".txt", ".yaml", ".yml",
))  # fmt: skip
_SKIPPED = frozenset({"node_modules", "__pycache__", "venv"})
_MOST_FILES = 5000
_LOOK_SECONDS = 0.5


def watch_evaluation(context: Context, wanted: "EvalRequest", options: EvalOptions) -> int:
    """Returns when an evaluation is interrupted. Raises KeyboardInterrupt between two of them."""
    while True:
        before = state_of(wanted, options.outputs)
        try:
            code = run(run_evaluation(context, wanted, options))
            if code == INTERRUPTED:
                return code
        except EdisonError as wrong:
            errors.print("[red]Error:[/]", escape(wrong.message))
        context.say("[dim]Watching for changes. Press Ctrl+C to stop.[/]")
        # A change during the evaluation counts as well.
        while state_of(wanted, options.outputs) == before:
            time.sleep(_LOOK_SECONDS)


def state_of(wanted: "EvalRequest", outputs: Sequence[Path]) -> Mapping[Path, tuple[int, int]]:
    """Time and size of every file that may belong to the configuration."""
    folders = {(wanted.folder / each).resolve().parent for each in wanted.configs}
    skipped = {each.resolve() for each in outputs}
    found: dict[Path, tuple[int, int]] = {}
    for folder in folders or {wanted.folder.resolve()}:
        for path in islice(_files_below(folder), _MOST_FILES):
            with suppress(OSError):
                stat = path.stat()
                if path not in skipped:
                    found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, names, files in os.walk(folder):
        names[:] = sorted(n for n in names if not n.startswith(".") and n not in _SKIPPED)
        yield from (Path(parent, name) for name in files if Path(name).suffix in _SUFFIXES)
