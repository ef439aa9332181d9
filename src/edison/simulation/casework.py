"""Creates any number of cases for the four tasks, from pools of building blocks.

The held-out cases have their own pool, so they share nothing with the training cases.
"""

import re
from functools import cache
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded
from edison.simulation.data import Split, read_data
from edison.simulation.facts import facts_of
from edison.simulation.tasks.recognition import TASKS

VARIABLES = {
    "support": "message",
    "extraction": "document",
    "classification": "ticket",
    "summary": "text",
}
_NUMBERS = 9000
_SLOT = re.compile(r"\{(\w+)\}")
_FILES: dict[Split, str] = {"train": "pools", "holdout": "holdout"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCase:
    inputs: dict[str, str]
    expected: str
    tags: tuple[str, ...]
    difficulty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The text templates of one task and split, and the values of their slots."""

    task: str
    bodies: tuple[dict[str, Any], ...]
    slots: dict[str, list[str]]
    numbers: dict[str, dict[str, Any]]
    vat: float

    def in_language(self, language: str) -> list[dict[str, Any]]:
        return [body for body in self.bodies if body.get("language", "en") == language]


@cache
def pool(task: str, split: Split = "train") -> Pool:
    data = read_data(_FILES[split])
    return Pool(
        task=task,
        bodies=tuple(data[task]),
        slots=data["slots"],
        numbers=data["numbers"],
        vat=data["vat"],
    )


def make_case(source: Pool, body: dict[str, Any], *salt: object) -> SimulatedCase:
    """Deterministic: the same body and salt always give the same case."""
    values: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        # Gross and net amount use the same draw, so that they match.
        drawn = seeded.uniform("net" if match[1] == "gross" else match[1], source.task, *salt)
        return values.setdefault(match[1], _value(source, match[1], drawn))

    text = _SLOT.sub(fill, body["text"])
    return SimulatedCase(
        inputs={VARIABLES[source.task]: text},
        expected=TASKS[source.task].ideal(facts_of(text)),
        tags=tuple(body["tags"]),
        difficulty=body["difficulty"],
    )


def make_cases(task: str, count: int, *salt: object, split: Split = "train") -> list[SimulatedCase]:
    """Cycles through the bodies, so that every kind of case occurs equally often."""
    source = pool(task, split)
    order = seeded.shuffled(source.bodies, task, *salt)
    return [make_case(source, order[i % len(order)], i, *salt) for i in range(count)]


def _value(source: Pool, slot: str, chance: float) -> str:
    choices = source.slots.get(slot.rstrip("2"))
    if choices:
        return choices[int(chance * len(choices))]
    if slot == "gross":
        return f"{source.vat * float(_value(source, 'net', chance)):.2f}"
    number = source.numbers[slot]
    drawn = int(chance * _NUMBERS) % number.get("span", _NUMBERS)
    text: str = number.get("form", "{}").format(number["least"] + drawn * number.get("step", 1))
    return text
