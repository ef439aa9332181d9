"""Tests in files: CSV and Excel with promptfoo's special columns, JSON, JSON Lines, YAML."""

import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

from edison.evals.document import LocatedObject, parse_document
from edison.evals.errors import ConfigError, NotSupported, Place
from edison.evals.files import Files
from edison.evals.workbook_rows import read_workbook
from edison.pipeline.render.nunjucks.javascript import STRIPPED, parse_float
from edison.pipeline.score.assertions.csv_cell import read_cell
from edison.pipeline.score.assertions.model import RowError

_EXPECTED = re.compile(r"__expected(\d*)")
_CONFIG = re.compile(r"__config:__expected(\d*):(\w+)")
_METADATA = re.compile(r"__metadata:(.+?)(\[\])?")
_SPECIAL = re.compile(
    r"__(?:expected\d*|prefix|suffix|description|providerOutput|metric|threshold"
    r"|metadata|config:.*|metadata:.*)"
)


def read_test_file(
    path: Path, files: Files, place: Place | None, *, sheet: str | None = None
) -> list[Any]:
    """`sheet` is the name or the number of a workbook's sheet. Raises ConfigError."""
    if path.suffix.lower() == ".xlsx":
        return _workbook(path, files, sheet)
    read = _READERS.get(path.suffix.lower())
    if read is None:
        reason = f"Tests in {path.suffix or 'such'} files are not supported."
        raise NotSupported(reason, place)
    return read(path, files, place)


def _csv(path: Path, files: Files, place: Place | None) -> list[Any]:
    tests = []
    for at, row in enumerate(files.read_rows(path, place), start=1):
        where = Place(files.name(path), at + 1)
        test = {"description": f"Row #{at}"} | _of_row(row, where)
        tests.append(LocatedObject(test, where, {}))
    return tests


def _workbook(path: Path, files: Files, sheet: str | None) -> list[Any]:
    whole = Place(files.name(path))
    header, *rows = read_workbook(path, sheet, whole) or [[]]
    names = [cell.strip() for cell in header]
    if not rows or not any(names):
        raise ConfigError("The sheet has no tests: a row of names and at least one below.", whole)
    tests = []
    for at, cells in enumerate(rows, start=1):
        row = {name: cell for name, cell in zip_longest(names, cells, fillvalue="") if name}
        test = {"description": f"Row #{at}"} | _of_row(row, whole)
        tests.append(LocatedObject(test, whole, {}))
    return tests


def _of_row(row: dict[str, str], place: Place) -> dict[str, Any]:
    numbered = [
        (found[1], cell) for name, cell in row.items() if (found := _EXPECTED.fullmatch(name))
    ]
    asserted: dict[str, dict[str, Any]] = {}
    for number, cell in numbered:
        if cell.strip(STRIPPED):
            try:
                asserted[number or "1"] = read_cell(cell.strip(STRIPPED))
            except RowError as wrong:
                raise ConfigError(str(wrong), place) from wrong
    test: dict[str, Any] = {
        "vars": {name: cell for name, cell in row.items() if not _SPECIAL.fullmatch(name)},
        "options": {},
        "metadata": {},
    }
    for name, cell in row.items():
        _special(test, asserted, name, cell)
    for each in asserted.values():
        if row.get("__metric"):
            each["metric"] = row["__metric"]
    test["assert"] = list(asserted.values())
    return {name: each for name, each in test.items() if each not in ({}, [])}


def _special(
    test: dict[str, Any], asserted: dict[str, dict[str, Any]], name: str, cell: str
) -> None:
    if name in {"__prefix", "__suffix"}:
        test["options"][name.removeprefix("__")] = cell
    elif name == "__description" and cell:
        test["description"] = cell
    elif name == "__providerOutput" and cell:
        test["providerOutput"] = cell
    elif name == "__threshold" and cell:
        test["threshold"] = parse_float(cell)
    elif found := _CONFIG.fullmatch(name):
        if cell and (target := asserted.get(found[1] or "1")) is not None:
            target[found[2]] = parse_float(cell) if found[2] == "threshold" else cell
    elif (found := _METADATA.fullmatch(name)) and cell.strip():
        test["metadata"][found[1]] = (
            [each.strip().replace("\\,", ",") for each in re.split(r"(?<!\\),", cell)]
            if found[2]
            else cell
        )


def _json_lines(path: Path, files: Files, place: Place | None) -> list[Any]:
    lines = files.read_text(path, place).splitlines()
    found: list[Any] = []
    for at, line in enumerate(lines, start=1):
        if line.strip():
            test = parse_document(line, files.name(path))
            found.append(_numbered(test, len(found) + 1, Place(files.name(path), at)))
    return found


def _json(path: Path, files: Files, place: Place | None) -> list[Any]:
    found = files.load(path)
    items = found if isinstance(found, list) else [found]
    whole = Place(files.name(path))
    return [_numbered(each, at, whole) for at, each in enumerate(items, start=1)]


def _numbered(test: Any, number: int, place: Place) -> Any:
    if not isinstance(test, dict):
        raise ConfigError("A test must be an object.", place)
    given = getattr(test, "place", place)
    where = Place(place.file, place.line or given.line)
    return LocatedObject(
        {"description": f"Row #{number}"} | test, where, getattr(test, "members", {})
    )


def _yaml(path: Path, files: Files, place: Place | None) -> list[Any]:
    found = files.load(path)
    return found if isinstance(found, list) else [found]


_READERS: dict[str, Callable[[Path, Files, Place | None], list[Any]]] = {
    ".csv": _csv,
    ".json": _json,
    ".jsonl": _json_lines,
    ".yaml": _yaml,
    ".yml": _yaml,
}
