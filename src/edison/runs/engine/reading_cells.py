"""Cells as a grid is told of them: what `CellRead` describes, already as JSON has it, since there
are hundreds of them on a page.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from edison.kit.money import usd_from_nanos
from edison.runs.engine.models import RunCase
from edison.runs.engine.repository.grid import PLAIN, PREVIEW_CHARACTERS

Cell = dict[str, Any]

_NAMES = tuple(column.key for column in PLAIN)


def write_cell(row: Sequence[Any], scores: Iterable[Sequence[Any]]) -> Cell:
    """From rows as the repository of the grid lists them."""
    *plain, beginning, cost_nanos, grade, grade_by = row
    cell = dict(zip(_NAMES, plain, strict=True))
    cell["id"] = str(cell["id"])
    cell["preview"] = None if beginning is None else beginning[:PREVIEW_CHARACTERS]
    cell["is_truncated"] = beginning is not None and len(beginning) > PREVIEW_CHARACTERS
    cell["cost_usd"] = None if cost_nanos is None else format(usd_from_nanos(cost_nanos), "f")
    cell["grade"] = None if grade is None else {"value": grade, "by": grade_by}
    cell["scores"] = [
        {"scorer": scorer, "value": value, "is_passed": is_passed, "flag": flag}
        for _, scorer, value, is_passed, flag in scores
    ]
    return cell


def write_row(case: RunCase, cells: list[Cell]) -> dict[str, Any]:
    return {
        "position": case.position,
        "case_id": None if case.case_id is None else str(case.case_id),
        "split": case.split,
        "difficulty": case.difficulty,
        "tags": case.tags,
        "inputs": case.inputs,
        "expected": case.expected,
        "cells": cells,
    }
