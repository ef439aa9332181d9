"""Parses rubrics in prompts and maps criteria to aspects of quality."""

import json
import re
from functools import lru_cache
from typing import Any

from edison.kit.lazy_dataclasses import dataclass

_ASPECTS = {
    "empathy": r"empath|emotion|feeling|compassion|understanding of the customer",
    "tone": r"tone|friendl|polite|voice|professional|warm",
    "helpfulness": r"helpful|actionable|solution|useful|resol|practical",
    "accuracy": r"accura|correct|faithful|factual|precis|truth|right (?:category|label)|reliab",
    "completeness": r"complete|coverage|all relevant|thorough|captures",
    "concision": r"concis|brief|short|length|succinct|verbos",
    "format": r"format|json|structure|label|schema|machine|consisten|readable by",
    "safety": r"safe|policy|harm|promis|risk|complian",
    "clarity": r"clear|clarity|readab|easy to read|understandab|fluen",
    "relevance": r"relevan|main point|focus|on.topic|key point|import",
}
_COMPILED = {aspect: re.compile(found, re.IGNORECASE) for aspect, found in _ASPECTS.items()}
_LINE = re.compile(
    r"^\s*(?:[-*•]|\d+[.)])\s*(?:\*\*)?([A-Za-z][\w /&-]{1,48}?)(?:\*\*)?\s*"
    r"(?:\(([^)]*)\))?\s*[:\u2013\u2014-]\s+(.+)$",
    re.MULTILINE,
)
_SCALE = re.compile(r"\b(\d{1,2})\s*(?:-|\u2013|to|through)\s*(\d{1,3})\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCriterion:
    name: str
    description: str
    minimum: float = 0
    maximum: float = 5

    def aspects(self) -> frozenset[str]:
        """By name first, because descriptions mention many aspects in passing."""
        return _aspects_in(self.name) or _aspects_in(self.description)


@lru_cache(maxsize=2048)
def _aspects_in(text: str) -> frozenset[str]:
    return frozenset(aspect for aspect, found in _COMPILED.items() if found.search(text))


@lru_cache(maxsize=512)
def read_rubric(text: str) -> tuple[SimulatedCriterion, ...]:
    return _from_json(text) or _from_lines(text)


def scale_in(text: str) -> tuple[float, float] | None:
    for match in _SCALE.finditer(text):
        low, high = float(match[1]), float(match[2])
        if low in (0, 1) and high in (1, 3, 4, 5, 7, 10, 100) and low < high:
            return low, high
    return None


def _from_json(text: str) -> tuple[SimulatedCriterion, ...]:
    decoder = json.JSONDecoder()
    for match in re.finditer(r"[\[{]", text):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        rows = value.get("criteria", value) if isinstance(value, dict) else value
        if isinstance(rows, dict):
            rows = [{"name": name, "description": said} for name, said in rows.items()]
        found = tuple(_criterion(row) for row in rows if isinstance(row, dict) and "name" in row)
        if found:
            return found
    return ()


def _criterion(row: dict[str, Any]) -> SimulatedCriterion:
    scale = row.get("scale")
    low, high = 0.0, 5.0
    if isinstance(scale, dict):
        low, high = float(scale.get("min", 0)), float(scale.get("max", 5))
    elif isinstance(scale, str):
        low, high = scale_in(scale) or (low, high)
    elif "maximum" in row or "max" in row:
        low = float(row.get("minimum", row.get("min", 0)))
        high = float(row.get("maximum", row.get("max", 5)))
    return SimulatedCriterion(
        name=str(row["name"]),
        description=str(row.get("description", "")),
        minimum=low,
        maximum=high,
    )


def _from_lines(text: str) -> tuple[SimulatedCriterion, ...]:
    low, high = scale_in(text) or (0.0, 5.0)
    return tuple(
        SimulatedCriterion(name=name.strip(), description=said.strip(), minimum=low, maximum=high)
        for name, _, said in _LINE.findall(text)
    )
