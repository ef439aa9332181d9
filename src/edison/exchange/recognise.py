"""What a file is: its format, from its content, and the records in it."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from edison.evals.document import parse_document, plain
from edison.evals.errors import ConfigError
from edison.evals.openai_registry import is_registry
from edison.evals.read import NAMES
from edison.exchange.errors import ImportRefused, UnknownShape
from edison.exchange.formats import FormatName
from edison.exchange.shapes import SHAPES
from edison.kit.lazy_dataclasses import dataclass

_CONFIG_KEYS = {"prompts", "providers", "targets", "tests", "defaultTest", "scenarios"}
_EVAL_KEYS = ("testing_criteria", "data_source", "datasource_item")
# Where exports keep their records.
_ENVELOPES = ("data", "events", "examples", "items", "records", "goldens", "samples", "dataset")

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """`path` is the file to read, which may be in an unpacked folder. Configurations are read from
    it, everything else from `records`.
    """

    format: FormatName
    path: Path
    records: Sequence[Record] = ()


def recognise(path: Path, name: str, chosen: FormatName | None) -> Recognised:
    """The format of a file that is no zip, or the chosen one. Raises ImportRefused."""
    text = _read_text(path)
    if not text.strip():
        raise ImportRefused("The file is empty.", code="empty")
    document = _parse(text, name)
    found = chosen or _format_of(document)
    if found in ("promptfoo", "openai_registry"):
        return Recognised(format=found, path=path)
    records = _records_in(document)
    if not records:
        raise ImportRefused("The file has no records.", code="empty")
    return Recognised(format=found, path=path, records=records)


def recognise_folder(folder: Path) -> Recognised:
    """The configuration in an unpacked archive. Raises ImportRefused."""
    inner = [each for each in folder.iterdir() if each.is_dir()]
    for place in (folder, *(inner if len(inner) == 1 else [])):
        for name in NAMES:
            if (place / name).is_file():
                return Recognised(format="promptfoo", path=place / name)
    registries = [each for each in sorted(folder.rglob("*.y*ml")) if _is_registry_file(each)]
    if len(registries) == 1:
        return Recognised(format="openai_registry", path=registries[0])
    if registries:
        names = ", ".join(each.name for each in registries[:5])
        message = f"The archive has several evals ({names}). Leave one of them in."
        raise ImportRefused(message, code="several")
    message = f"The archive has none of {', '.join(NAMES)}, and no registry of OpenAI evals."
    raise ImportRefused(message, code="unknown_format")


def _is_registry_file(path: Path) -> bool:
    try:
        document = parse_document(path.read_text(encoding="utf-8-sig"), path.name)
    except (ConfigError, UnicodeDecodeError):
        return False
    return isinstance(document, dict) and is_registry(document)


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise ImportRefused("The file is not UTF-8 text.", code="not_text") from wrong


def _parse(text: str, name: str) -> Any:
    suffix = Path(name).suffix.lower()
    start = text.lstrip()[:1]
    if suffix == ".csv":
        return _parse_csv(text)
    if start in ("{", "["):
        return _parse_json(text)
    try:
        found = plain(parse_document(text, name))
    except ConfigError as wrong:
        raise ImportRefused(wrong.message, code="bad_yaml") from wrong
    return found


def _parse_json(text: str) -> Any:
    """JSON, or JSON lines if each line is complete in itself."""
    try:
        return json.loads(text)
    except RecursionError as wrong:
        raise ImportRefused("The values are nested too deeply.", code="too_deep") from wrong
    except json.JSONDecodeError as whole:
        first, _, rest = text.lstrip().partition("\n")
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            raise _not_json(whole, whole.lineno) from whole
        if not rest.strip():
            raise _not_json(whole, whole.lineno) from whole
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError as wrong:
            raise _not_json(wrong, number) from wrong
        except RecursionError as wrong:
            raise ImportRefused("The values are nested too deeply.", code="too_deep") from wrong
    return found


def _not_json(wrong: json.JSONDecodeError, line: int) -> ImportRefused:
    message = f"Line {line:,}, column {wrong.colno:,}: this is not valid JSON: {wrong.msg}."
    return ImportRefused(message, code="bad_json")


def _parse_csv(text: str) -> list[dict[str, Any]]:
    """Rows as objects; cells with an object or a list in JSON are that."""
    csv.field_size_limit(len(text) + 1)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    found: list[dict[str, Any]] = []
    try:
        for cells in reader:
            if not header:
                header = [each.strip() for each in cells]
                continue
            if len(cells) != len(header):
                message = f"Line {reader.line_num:,}: the row has {len(cells)} cells and the "
                raise ImportRefused(f"{message}header {len(header)}.", code="bad_csv")
            found.append(dict(zip(header, map(_cell, cells), strict=True)))
    except csv.Error as wrong:
        message = f"Line {reader.line_num:,}: this is not valid CSV: {wrong}."
        raise ImportRefused(message, code="bad_csv") from wrong
    return found


def _cell(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _format_of(document: Any) -> FormatName:
    if isinstance(document, dict):
        if is_registry(document):
            return "openai_registry"
        if _CONFIG_KEYS & document.keys():
            return "promptfoo"
    records = _records_in(document)
    if any(isinstance(each.get(name), list | dict) for each in records[:50] for name in _EVAL_KEYS):
        return "openai_evals"
    found = next((each for each in SHAPES if records and each.fits(records[0])), None)
    if found is None:
        raise UnknownShape
    return found.key


def _records_in(document: Any) -> Sequence[Record]:
    if isinstance(document, list):
        wrong = next((at for at, each in enumerate(document) if not isinstance(each, dict)), None)
        if wrong is not None:
            raise ImportRefused(f"Record {wrong + 1:,} is not an object.", code="not_an_object")
        return document
    if not isinstance(document, dict):
        return []
    for name in _ENVELOPES:
        inner = document.get(name)
        if isinstance(inner, list | dict):
            found = _records_in(inner)
            if found:
                return found
    return [document]
