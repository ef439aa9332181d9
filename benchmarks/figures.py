"""Figures reported by benchmarks, and their table."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value; `ratio` compares it with a lower bound measured in the same run."""

    name: str
    value: str
    target: str = ""
    ratio: str = ""
    is_met: bool | None = None


def percentile(samples: Sequence[float], share: float) -> float:
    return statistics.quantiles(samples, n=1000, method="inclusive")[round(share * 1000) - 1]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def print_table(title: str, figures: Sequence[Figure]) -> None:
    table = Table("Figure", "Measured", "Against the floor", "Goal", "", title=title)
    marks = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}
    for figure in figures:
        table.add_row(figure.name, figure.value, figure.ratio, figure.target, marks[figure.is_met])
    Console().print(table)
