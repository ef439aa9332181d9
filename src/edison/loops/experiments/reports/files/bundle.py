"""A complete experiment as one zip, for archives and readers without an account."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from edison.loops.experiments.reports.files import tables
from edison.loops.experiments.reports.files.document import Document
from edison.loops.experiments.reports.files.markdown import write_markdown
from edison.loops.experiments.schemas.reports import ExperimentReport

# Increased when an entry of the bundle moves or changes its meaning.
FORMAT = 1
# The earliest date zip supports; a fixed date makes equal reports equal files.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFile:
    """A version as text, and by its parts."""

    label: str
    text: str
    parts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    report: ExperimentReport
    document: Document
    pdf: bytes
    configuration: Mapping[str, Any] | None
    prompts: Sequence[PromptFile]


def write_bundle(contents: Contents) -> bytes:
    report, document = contents.report, contents.document
    files: dict[str, bytes] = {
        "bundle.json": _json({"kind": "experiment-report", "format": FORMAT, "id": str(report.id)}),
        "report.pdf": contents.pdf,
        "report.md": write_markdown(document, folder="drawings").encode(),
        "report.json": _json(report.model_dump(mode="json")),
        "iterations.csv": tables.write_iterations(report),
        "criteria.csv": tables.write_criteria(report),
        "models.csv": tables.write_models(report),
        "decisions.csv": tables.write_decisions(report),
    }
    files |= {f"drawings/{each.name}.svg": each.svg.encode() for each in document.drawings}
    if contents.configuration is not None:
        files["configuration.json"] = _json(contents.configuration)
    for number, prompt in enumerate(contents.prompts, start=1):
        label = _UNSAFE.sub("-", prompt.label).strip("-.") or "version"
        files[f"prompts/{number:03}-{label}.txt"] = prompt.text.encode()
        files[f"prompts/{number:03}-{label}.json"] = _json(prompt.parts)
    return _zip(files)


def _json(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _zip(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()
