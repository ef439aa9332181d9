"""A task of the simulation: hidden rules, and a function that writes an answer meeting some of
them.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.directives import Rule
from edison.simulation.facts import Facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Inputs of an answer: the material, the rules it meets, and the prompt's instructions. `salt`
    varies the wording between prompts, cases and seeds.
    """

    facts: Facts
    kept: frozenset[str]
    instructions: str
    salt: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """`cues` match prompts, goals and rubrics about this task. `substance` measures, 0 to 1,
    whether the text is an answer at all: an empty answer breaks few rules but is worth nothing.
    """

    key: str
    title: str
    cues: re.Pattern[str]
    rules: tuple[Rule, ...]
    compose: Callable[[Draft], str]
    substance: Callable[[Facts, str], float]

    def quality(self, facts: Facts, answer: str) -> float:
        """Weighted share of the rules that the answer meets: the simulation's ground truth."""
        marks = self.marks(facts, answer)
        possible = sum(rule.weight for rule in marks)
        earned = sum(rule.weight * mark for rule, mark in marks.items())
        return (earned / possible if possible else 1.0) * self.substance(facts, answer)

    def marks(self, facts: Facts, answer: str) -> dict[Rule, float]:
        """How far the answer meets each applicable rule."""
        return _marks(self, facts, answer)

    def ideal(self, facts: Facts) -> str:
        kept = frozenset(rule.key for rule in self.rules)
        return self.compose(Draft(facts=facts, kept=kept, instructions="", salt=""))


@lru_cache(maxsize=4096)
def _marks(task: Task, facts: Facts, answer: str) -> dict[Rule, float]:
    return {rule: rule.check(facts, answer) for rule in task.rules if rule.applies(facts)}
