"""Makes cases for the four tasks, any number of them, from pools of building blocks."""

import re
from dataclasses import dataclass
from typing import Any

from edison.pipeline.generate.simulation import luck
from edison.pipeline.generate.simulation.data import read_data
from edison.pipeline.generate.simulation.facts import facts_of
from edison.pipeline.generate.simulation.tasks.recognition import TASKS

VARIABLES = {
    "support": "message",
    "extraction": "document",
    "classification": "ticket",
    "summary": "text",
}
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    inputs: dict[str, str]
    expected: str
    tags: tuple[str, ...]
    difficulty: int


def _pools() -> dict[str, Any]:
    return read_data("pools")


def bodies(task: str, language: str | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = _pools()[task]
    return [body for body in found if language in (None, body.get("language", "en"))]


def make_case(task: str, body: dict[str, Any], *salt: object) -> Case:
    """The same body and salt always make the same case."""
    values: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        # The gross amount belongs to the net amount: both hang on the same draw.
        drawn = luck.uniform("net" if match[1] == "gross" else match[1], task, *salt)
        return values.setdefault(match[1], _value(match[1], drawn))

    text = _SLOT.sub(fill, body["text"])
    return Case(
        inputs={VARIABLES[task]: text},
        expected=TASKS[task].ideal(facts_of(text)),
        tags=tuple(body["tags"]),
        difficulty=body["difficulty"],
    )


def make_cases(task: str, count: int, *salt: object) -> list[Case]:
    """Bodies take turns, so that every kind of case is there in equal numbers."""
    pool = bodies(task)
    order = luck.shuffled(pool, task, *salt)
    return [make_case(task, order[i % len(order)], i, *salt) for i in range(count)]


def _value(slot: str, chance: float) -> str:
    choices = _pools()["slots"].get(slot.rstrip("2"))
    if choices:
        return str(choices[int(chance * len(choices))])
    number = int(chance * 9000)
    made = {
        "code": f"ORD-{10000 + number * 7}",
        "invoice": f"INV-2026-{1000 + number}",
        "r": str(1000 + number),
        "n": str(12 + number % 480),
        "p": str(11 + number % 78),
        "m": str(2 + number % 6),
        "m2": str(8 + number % 2),
        "d": str(10 + number % 9),
        "d2": str(19 + number % 9),
        "net": f"{200 + number % 7000}.50",
        "gross": f"{1.2 * (200.5 + number % 7000):.2f}",
    }
    return made[slot]
