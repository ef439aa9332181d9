"""Progress of `edison eval`: a bar in a terminal, otherwise a line for each long wait."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.text import Text

from edison.cli.context import errors
from edison.kit import clock

if TYPE_CHECKING:
    from rich.console import RenderableType

    from edison.evals.waits import EvalWait

# A log does not list the short pauses before a call is tried again.
_SHORTEST_TOLD_SECONDS = 5.0


class Progress(Protocol):
    def show(self, done: int, total: int, waits: "Sequence[EvalWait]") -> None: ...


@contextmanager
def showing_progress(total: int, *, as_bar: bool, is_quiet: bool) -> Iterator[Progress]:
    if not as_bar:
        yield WaitLines(is_quiet=is_quiet)
        return
    with _Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    ) as bar:
        bar.add_task("Evaluating", total=total)
        yield bar


class _Bar(Bars):
    """The bar of its only task, and below it what the evaluation waits for."""

    waits: "Sequence[EvalWait]" = ()

    def get_renderables(self) -> "Iterable[RenderableType]":
        yield self.make_tasks_table(self.tasks)
        for wait in self.waits:
            yield Text(describe(wait), style="yellow")

    def show(self, done: int, total: int, waits: "Sequence[EvalWait]") -> None:
        self.waits = waits
        for task in self.task_ids:
            self.update(task, completed=done, total=total)


class WaitLines:
    """Prints each wait once; one with a known end again if it goes on after that."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._told: dict[str, datetime | None] = {}

    def show(self, done: int, total: int, waits: "Sequence[EvalWait]") -> None:
        for wait in waits:
            if not self._is_quiet and self._is_news(wait):
                errors.print(escape(f"{done} of {total} answered. {describe(wait)}"))

    def _is_news(self, wait: "EvalWait") -> bool:
        now = clock.now()
        if wait.until is not None and (wait.until - now).total_seconds() < _SHORTEST_TOLD_SECONDS:
            return False
        if wait.subject in self._told:
            told_until = self._told[wait.subject]
            if told_until is None or now < told_until:
                return False
        self._told[wait.subject] = wait.until
        return True


def describe(wait: "EvalWait") -> str:
    """The sentence of the run page. The time at which it ends is first: a narrow terminal cuts the
    rest off.
    """
    if wait.until is None:
        return f"{wait.sentence}."
    return f"Until {wait.until.astimezone():%H:%M:%S}: {wait.sentence}."
