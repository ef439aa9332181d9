"""Figures reported by benchmarks, and their table."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value; `ratio` compares it with `floor`, which the same run measured."""

    name: str
    value: str
    target: str = ""
    floor: str = ""
    ratio: str = ""
    is_met: bool | None = None


def percentile(samples: Sequence[float], share: float) -> float:
    return statistics.quantiles(samples, n=1000, method="inclusive")[round(share * 1000) - 1]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms"


def print_table(title: str, figures: Sequence[Figure]) -> None:
    names = ("Figure", "Floor", "Measured", "Against the floor", "Goal", "")
    table = Table(*names, title=title)
    marks = {True: "[green]met[/]", False: "[red]missed[/]", None: ""}
    for each in figures:
        mark = marks[each.is_met]
        table.add_row(each.name, each.floor, each.value, each.ratio, each.target, mark)
    Console().print(table)
