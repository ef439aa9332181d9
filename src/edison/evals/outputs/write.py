"""Writes results to files; the suffix names the format."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError
from edison.evals.outputs.comparison import comparison_document
from edison.evals.outputs.html import html_text
from edison.evals.outputs.junit import junit_text
from edison.evals.outputs.promptfoo import document_of, row_document
from edison.evals.outputs.tables import csv_text, markdown_text
from edison.evals.outputs.workbook import workbook_bytes
from edison.evals.results import EvalResults

# GitHub refuses more than 1 MiB.
_LARGEST_SUMMARY = 900_000


def check_paths(paths: Sequence[Path]) -> None:
    """Raises ConfigError when a file cannot be written, before anything is spent."""
    for path in paths:
        if _format_of(path) is None:
            known = ", ".join(_FORMATS)
            raise ConfigError(f"{path}: the format is not known. Use one of {known}.")
        if (obstacle := _obstacle(path)) is not None:
            raise ConfigError(f"{path} cannot be written: {obstacle}.")


def _obstacle(path: Path) -> str | None:
    if path.is_dir():
        return "it is a folder"
    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    is_usable = os.access(path if path.exists() else path.parent, os.W_OK)
    return None if is_usable else "you may not write there"


def write_results(results: EvalResults, path: Path) -> None:
    """Replaces the file only when everything was written. Raises ConfigError."""
    made = _format_of(path)
    if made is None:
        raise ConfigError(f"{path}: the format is not known.")
    partial = path.with_name(f".{path.name}.partial")
    try:
        content = made(results)
        partial.write_bytes(content if isinstance(content, bytes) else content.encode())
        partial.replace(path)
    except OSError as wrong:
        raise ConfigError(f"{path} cannot be written: {wrong.strerror}.") from wrong


def add_step_summary(results: EvalResults, path: Path) -> None:
    """Appends the results to the summary of a step of GitHub Actions. Raises ConfigError."""
    text = markdown_text(results)
    if len(text.encode()) > _LARGEST_SUMMARY:
        lines = text.encode()[:_LARGEST_SUMMARY].decode(errors="ignore").splitlines()
        text = "\n".join([*lines[:-1], "", "The rest does not fit here.", ""])
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as wrong:
        raise ConfigError(f"{path} cannot be written: {wrong.strerror}.") from wrong


def _format_of(path: Path) -> Callable[[EvalResults], str | bytes] | None:
    name = path.name.lower()
    return next((made for suffix, made in _FORMATS.items() if name.endswith(suffix)), None)


def full_document(results: EvalResults) -> dict[str, Any]:
    """Results in promptfoo's form, with the comparison with a baseline."""
    document = document_of(results)
    if results.comparison is not None:
        document["edison"]["comparison"] = comparison_document(results.comparison)
    return document


def _json(results: EvalResults) -> str:
    return json.dumps(full_document(results), indent=2, ensure_ascii=False, default=str) + "\n"


def _json_lines(results: EvalResults) -> str:
    return "".join(
        json.dumps(row_document(row), ensure_ascii=False, default=str) + "\n"
        for row in results.rows
    )


def _yaml(results: EvalResults) -> str:
    import yaml

    found = json.loads(json.dumps(full_document(results), default=str))
    return str(yaml.safe_dump(found, sort_keys=False, allow_unicode=True))


_FORMATS: Mapping[str, Callable[[EvalResults], str | bytes]] = {
    ".jsonl": _json_lines,
    ".json": _json,
    ".yaml": _yaml,
    ".yml": _yaml,
    ".csv": csv_text,
    ".junit.xml": junit_text,
    ".md": markdown_text,
    ".html": html_text,
    ".xlsx": workbook_bytes,
}
