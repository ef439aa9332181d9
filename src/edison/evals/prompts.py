"""Reads the prompts of a configuration: texts, files, patterns of files, functions.

A text of one line is taken for a file name when it looks like one, as in promptfoo.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from edison.evals.document import parse_document, plain
from edison.evals.errors import ConfigError, NotSupported, Place, item_places, place_of
from edison.evals.files import SCHEME, Files
from edison.evals.plan import EvalPrompt, PythonFunction

_SUFFIXES = (
    ".csv", ".cjs", ".j2", ".js", ".json", ".jsonl", ".md", ".mjs", ".py", ".ts", ".cts", ".mts",
    ".txt", ".xls", ".xlsx", ".yml", ".yaml",
)  # fmt: skip
_JAVASCRIPT = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
_SEPARATOR = re.compile(r"^---[ \t]*$", re.MULTILINE)
_FUNCTION = re.compile(r"(?P<file>.+\.\w+):(?P<name>[A-Za-z_]\w*)")
_MD_LABEL, _YAML_LABEL = 50, 80
DEFAULT = "{{prompt}}"


def read_prompts(given: Any, files: Files, place: Place | None) -> list[EvalPrompt]:
    """Raises ConfigError."""
    if given is None:
        return [EvalPrompt(raw=DEFAULT, label=DEFAULT)]
    if isinstance(given, str):
        found = list(_read(given, None, files, place))
    elif isinstance(given, dict):
        found = [
            prompt
            for raw, label in given.items()
            for prompt in _read(raw, label if isinstance(label, str) else None, files, place)
        ]
    elif isinstance(given, list):
        places = item_places(given, place)
        found = [
            each for item, at in zip(given, places, strict=True) for each in _item(item, files, at)
        ]
    else:
        raise ConfigError("“prompts” must be a list.", place)
    if not found:
        raise ConfigError("There are no prompts.", place)
    return found


def _item(item: Any, files: Files, place: Place | None) -> Iterator[EvalPrompt]:
    if isinstance(item, str):
        yield from _read(item, None, files, place)
        return
    place = place_of(item) or place
    if not isinstance(item, dict):
        raise ConfigError("A prompt must be a text or an object.", place)
    raw, label = item.get("raw", item.get("id")), item.get("label")
    if not isinstance(raw, str):
        raise ConfigError("A prompt needs “raw” or “id”.", place)
    yield from _read(raw, label if isinstance(label, str) else None, files, place)


def looks_like_file(text: str) -> bool:
    if "\n" in text:
        return False
    before = text.partition(":")[0] if ":" in text else ""
    return (
        text.startswith(SCHEME)
        or text.endswith(_SUFFIXES)
        or before.endswith(_SUFFIXES)
        or text[-3:-2] == "."
        or text[-4:-3] == "."
        or any(sign in text for sign in "*/\\")
    )


def _read(raw: str, label: str | None, files: Files, place: Place | None) -> Iterator[EvalPrompt]:
    if not looks_like_file(raw):
        yield EvalPrompt(raw=raw, label=label or raw, place=place)
        return
    reference = raw.removeprefix(SCHEME)
    function = _FUNCTION.fullmatch(reference)
    if function is not None and not files.match(reference, place):
        path = files.find(function["file"], place)
        yield _function(path, function["name"], label, files, place)
        return
    paths = files.match(reference, place)
    if not paths and "*" in reference:
        yield EvalPrompt(raw=raw, label=label or raw, place=place)
        return
    if not paths:
        shown = raw if len(raw) <= 80 else raw[:80] + "…"
        message = f"The prompt “{shown}” looks like a file name, and there is no such file."
        hint = "" if raw.startswith(SCHEME) else " Give it a second line to make it a text."
        raise ConfigError(message + hint, place)
    for path in paths:
        yield from _read_file(path, label, files, place)


def _read_file(
    path: Path, label: str | None, files: Files, place: Place | None
) -> Iterator[EvalPrompt]:
    name, suffix = files.name(path), path.suffix
    if suffix in _JAVASCRIPT:
        raise NotSupported("Prompts in JavaScript files are not supported.", place)
    if suffix == ".py":
        raise NotSupported(f"Name a function of the file: {name}:function.", place)
    if suffix == ".csv":
        yield from _table(path, label, files, place)
        return
    parts = _parts(files.read_text(path, place), name, suffix)
    if parts is None:
        raise ConfigError(f"There are no prompts in {name}: its type is not known.", place)
    # The label of a Markdown prompt takes the place of the file's name.
    is_short = suffix == ".md" and label is not None
    prefix = label if is_short else f"{label}: {name}" if label else name
    for raw, shown in parts:
        yield EvalPrompt(raw=raw, label=f"{prefix}: {shown}", place=place)


def _parts(text: str, name: str, suffix: str) -> list[tuple[str, str]] | None:
    """Prompts of a file, each with what its label shows; None when the type is not known."""
    if suffix == ".txt":
        return [(each, each) for part in _SEPARATOR.split(text) if (each := part.strip())]
    if suffix == ".jsonl":
        return [(each, each) for line in text.splitlines() if (each := line.strip())]
    if suffix in {".json", ".yaml", ".yml"}:
        raw = orjson.dumps(plain(parse_document(text, name))).decode()
        return [(raw, raw if suffix == ".json" else raw[:_YAML_LABEL])]
    return [(text, f"{text[:_MD_LABEL]}...")] if suffix in {".md", ".j2"} else None


def _table(
    path: Path, label: str | None, files: Files, place: Place | None
) -> Iterator[EvalPrompt]:
    name = files.name(path)
    rows = files.read_rows(path, place)
    if rows and "prompt" not in rows[0]:
        texts = files.read_text(path, place).splitlines()
        for at, text in enumerate(filter(None, (each.strip() for each in texts)), start=1):
            yield EvalPrompt(raw=text, label=f"Prompt {at} - {text}", place=Place(name, at))
        return
    for at, row in enumerate(rows, start=1):
        if row["prompt"]:
            shown = row.get("label") or label or f"Prompt {at} - {row['prompt']}"
            yield EvalPrompt(raw=row["prompt"], label=shown, place=Place(name, at + 1))


def _function(
    path: Path, function: str, label: str | None, files: Files, place: Place | None
) -> EvalPrompt:
    name = f"{files.name(path)}:{function}"
    if path.suffix != ".py":
        raise NotSupported("Prompts in JavaScript files are not supported.", place)
    made = PythonFunction(file=path, name=function)
    return EvalPrompt(raw=name, label=label or name, function=made, place=place)
