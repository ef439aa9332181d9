"""Rows of an Excel workbook (.xlsx), as texts: the first sheet, or the one named or numbered."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from edison.evals.errors import ConfigError, Place

_LARGEST_PART = 100 * 1024 * 1024
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_COLUMN = re.compile("[A-Z]+")
# Days are counted from here; Excel believes in a 29th of February 1900.
_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 - a date in a sheet has no zone
_BUILT_IN_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DATE_SIGNS = re.compile("[dmyhs]", re.IGNORECASE)


def read_workbook(path: Path, sheet: str | None, place: Place) -> list[list[str]]:
    """Cells of all rows that have any. Raises ConfigError."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _Workbook(archive).rows(sheet, place)
    except OSError as wrong:
        raise ConfigError(f"The file cannot be read: {wrong.strerror}.", place) from wrong
    except (zipfile.BadZipFile, ElementTree.ParseError, KeyError, ValueError, IndexError) as wrong:
        raise ConfigError("This is not a valid Excel workbook (.xlsx).", place) from wrong


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())

    def rows(self, sheet: str | None, place: Place) -> list[list[str]]:
        targets = self._targets()
        if sheet is None:
            target = next(iter(targets.values()))
        elif sheet in targets:
            target = targets[sheet]
        elif sheet.isdecimal() and 1 <= int(sheet) <= len(targets):
            target = list(targets.values())[int(sheet) - 1]
        else:
            names = ", ".join(f"“{name}”" for name in targets)
            raise ConfigError(f"There is no sheet “{sheet}”. The workbook has {names}.", place)
        reader = _CellReader(self._texts(), self._date_styles())
        found = (reader.read_row(row) for row in self._part(target).iter(f"{_MAIN}row"))
        return [cells for cells in found if any(cells)]

    def _targets(self) -> Mapping[str, str]:
        """The part of each sheet, by its name."""
        relations = {
            each.attrib["Id"]: each.attrib["Target"]
            for each in self._part("xl/_rels/workbook.xml.rels")
        }
        return {
            each.attrib["name"]: _absolute(relations[each.attrib[_RELATION_ID]])
            for each in self._part("xl/workbook.xml").iter(f"{_MAIN}sheet")
        }

    def _texts(self) -> Sequence[str]:
        if "xl/sharedStrings.xml" not in self._names:
            return ()
        return [_text_in(each) for each in self._part("xl/sharedStrings.xml").iter(f"{_MAIN}si")]

    def _date_styles(self) -> frozenset[int]:
        """The styles that show a number as a date."""
        if "xl/styles.xml" not in self._names:
            return frozenset()
        styles = self._part("xl/styles.xml")
        own = {
            int(each.attrib["numFmtId"])
            for each in styles.iter(f"{_MAIN}numFmt")
            if _DATE_SIGNS.search(_QUOTED.sub("", each.attrib["formatCode"]))
        }
        used = styles.find(f"{_MAIN}cellXfs")
        formats = [] if used is None else [int(each.get("numFmtId", "0")) for each in used]
        return frozenset(at for at, each in enumerate(formats) if each in own | _BUILT_IN_DATES)

    def _part(self, name: str) -> Element:
        info = self._archive.getinfo(name)
        if info.file_size > _LARGEST_PART:
            raise ValueError("too large")
        return ElementTree.fromstring(self._archive.read(info))  # noqa: S314 - expat bounds entities


class _CellReader:
    def __init__(self, texts: Sequence[str], date_styles: frozenset[int]) -> None:
        self._texts = texts
        self._date_styles = date_styles

    def read_row(self, row: Element) -> list[str]:
        cells: list[str] = []
        for at, cell in _placed(row):
            cells += [""] * (at - len(cells))
            cells.append(self._read(cell))
        return cells

    def _read(self, cell: Element) -> str:
        kind, value = cell.get("t", "n"), cell.findtext(f"{_MAIN}v") or ""
        if kind == "inlineStr":
            return _text_in(cell)
        if kind == "s":
            return self._texts[int(value)]
        if kind == "b":
            return "true" if value == "1" else "false"
        if kind == "n" and value and int(cell.get("s", "0")) in self._date_styles:
            return _date_text(float(value))
        return value


def _placed(row: Element) -> Iterator[tuple[int, Element]]:
    """The cells with their columns; cells without content may be left out."""
    at = -1
    for cell in row.iter(f"{_MAIN}c"):
        column = _COLUMN.match(cell.get("r", ""))
        at = at + 1 if column is None else _column_number(column[0])
        yield at, cell


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    if number > 16_384:
        raise ValueError("beyond the last column")
    return number - 1


def _text_in(element: Element) -> str:
    """Without the readings that stand above some characters (`rPh`)."""
    parts = [element, *element.iter(f"{_MAIN}is"), *element.iter(f"{_MAIN}r")]
    return "".join(part.findtext(f"{_MAIN}t") or "" for part in parts)


def _date_text(days: float) -> str:
    moment = _FIRST_DAY + timedelta(days=days)
    is_day = days == int(days)
    return moment.date().isoformat() if is_day else moment.isoformat(timespec="seconds")


def _absolute(target: str) -> str:
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
