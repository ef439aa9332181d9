"""Detects which of a task's rules a prompt states, and how precisely."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.data import read_data
from edison.simulation.facts import Facts
from edison.simulation.sentences import (
    after_colon,
    is_bare,
    is_instruction,
    is_sentence,
    meant_sentences,
    split_sentences,
    words_of,
)

VAGUE = 0.35
# A short command without details: "Apologise first."
BRIEF = 0.6
SPECIFIC = 1.0
# A sentence that describes a good answer instead of asking for it, as rubrics do.
DESCRIBED = 0.7
AGAINST = -0.6

_NEGATION = re.compile(r"\b(?:not|never|avoid|don[\u2019']t|without|no|refrain|nor)\b[^,;]{0,40}$")
# Words that may precede the verb of an instruction; after any other word it is not an instruction.
_BEFORE_VERB = frozenset(read_data("words")["before_verb"].split())


def always_applies(facts: Facts) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rule:
    """A property of a good answer. `base` is how often a small model has it without an instruction.

    `specific` and `vague` match sentences that state it, from the verb to its object. `check`
    measures from the answer alone how far the rule is met, 0 to 1. `directive` and `hint` state it
    precisely and vaguely; `lapse` describes its violation.
    """

    key: str
    weight: float
    base: float
    aspects: tuple[str, ...]
    specific: re.Pattern[str]
    vague: re.Pattern[str]
    directive: str
    hint: str
    lapse: str
    check: Callable[[Facts, str], float]
    applies: Callable[[Facts], bool] = always_applies
    forbids: bool = False


def load_rules(
    task: str,
    *,
    checks: dict[str, Callable[[Facts, str], float]],
    applies: dict[str, Callable[[Facts], bool]] | None = None,
) -> tuple[Rule, ...]:
    """Loads the task's rules: wording from the data file, checks from the task's code."""
    rows: list[dict[str, Any]] = read_data("rules")[task]
    conditions = applies or {}
    return tuple(
        Rule(
            **{
                **row,
                "aspects": tuple(row["aspects"]),
                "specific": _pattern(row["specific"]),
                "vague": _pattern(row["vague"]),
                "check": checks[row["key"]],
                "applies": conditions.get(row["key"], always_applies),
            }
        )
        for row in rows
    )


def _pattern(rows: list[dict[str, Any]]) -> re.Pattern[str]:
    """Matches a verb followed within a few words by its object, in one clause, for any of the rows.
    Only an object that is a list may follow a colon.
    """
    found = (
        rf"\b(?:{row['verbs']})\b[^.!?\n{'' if row.get('listed') else ':'}]"
        rf"{{0,{row.get('gap', 60)}}}?\b(?:{row['objects']})"
        for row in rows
    )
    return re.compile("|".join(found), re.IGNORECASE)


def precision(rule: Rule, sentence: str) -> float:
    """How precisely one sentence states the rule; negative when it asks for the opposite."""
    if ": " not in sentence:
        return _precision(rule, sentence)
    parts = (sentence, *after_colon(sentence))
    return next((found for part in parts if (found := _precision(rule, part))), 0.0)


def _precision(rule: Rule, sentence: str) -> float:
    if not is_sentence(sentence):
        return 0.0
    is_told = is_instruction(sentence)
    for found, level in ((rule.specific, SPECIFIC), (rule.vague, VAGUE)):
        match = _stated(found, sentence, must_lead=is_told)
        if match is None:
            continue
        if not rule.forbids and _NEGATION.search(sentence[: match.start()].lower()):
            return AGAINST
        if is_bare(sentence):
            return min(level, BRIEF)
        # A description never has the full effect of an instruction.
        return level if is_told else min(level, VAGUE / DESCRIBED) * DESCRIBED
    return 0.0


def _stated(found: re.Pattern[str], sentence: str, *, must_lead: bool) -> re.Match[str] | None:
    """The first match whose verb can start an instruction: "reply" in "the reply must" cannot. Text
    after a colon is matched separately.
    """
    colon = sentence.find(": ")
    match = found.search(sentence)
    while match is not None and must_lead and not _leads(sentence, match.start()):
        match = found.search(sentence, match.start() + 1)
    return None if match is None or 0 <= colon < match.start() else match


def _leads(sentence: str, start: int) -> bool:
    before = re.findall(r"[\w'\u2019-]+|[,;:(]", sentence[:start].lower())
    return not before or before[-1].replace("\u2019", "'") in _BEFORE_VERB


@dataclass(frozen=True, slots=True, kw_only=True)
class Directions:
    """The instructions of a prompt: precision per rule, and the total load of instructions."""

    precisions: tuple[float, ...]
    load: float


@lru_cache(maxsize=4096)
def directions(instructions: str, rules: tuple[Rule, ...]) -> Directions:
    sentences = meant_sentences(instructions)
    stated = []
    for rule in rules:
        found = [precision(rule, sentence) for sentence in sentences]
        worst, best = min(found, default=0.0), max(found, default=0.0)
        stated.append((best + worst) / 2 if worst < 0 < best else best or worst)
    return Directions(precisions=tuple(stated), load=_load(split_sentences(instructions)))


def _load(sentences: list[str]) -> float:
    """Each instruction counts as one, all other text by its length."""
    load = 0.0
    for sentence in dict.fromkeys(sentences):
        load += 1.0 if is_instruction(sentence) else min(1.0, len(words_of(sentence)) / 40)
    return load


def focus(load: float, capacity: float) -> float:
    """Remaining share of an instruction's effect at this load."""
    return 1.0 if load <= capacity else (capacity / load) ** 0.8
