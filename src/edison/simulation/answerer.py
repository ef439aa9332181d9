"""Answers a prompt: recognises its task, decides which hidden rules are met, writes the text."""

import json
import re
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation import seeded
from edison.simulation.directives import Directions, directions, focus
from edison.simulation.facts import Facts, facts_of
from edison.simulation.prompt_reader import Reading, read
from edison.simulation.request import ChatRequest
from edison.simulation.tasks.recognition import recognise
from edison.simulation.tasks.task import Draft, Task
from edison.simulation.tiers import Tier

# Effect of worked examples by their number: one shows a rule less clearly than a sentence; several
# come close.
_SHOWN = (0.0, 0.45, 0.6, 0.7, 0.75)
_TAG = re.compile(r"<response>", re.IGNORECASE)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_JSON_KEY = re.compile(r"\{\s*\"(\w+)\"\s*:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """Inputs of the random draws besides the prompt. At temperature 0 the seed has no effect."""

    tier: Tier
    seed: int
    temperature: float

    def key(self) -> tuple[object, ...]:
        return (self.tier.id, self.seed if self.temperature > 0 else 0)


def answer(prompt: ChatRequest, chance: Chance) -> str:
    reading = read(prompt)
    task = recognise(reading.instructions)
    facts = facts_of(reading.material)
    told = directions(reading.instructions, task.rules)
    precisions = _with_examples(task, told.precisions, reading.shots)
    probabilities = odds(task, facts, Directions(precisions=precisions, load=told.load), chance)
    key = chance.key()
    asked = (reading.instructions, reading.shots, reading.material, *key)
    draws = seeded.blended(case=(reading.material, *key), prompt=asked)
    kept = frozenset(
        rule.key
        for rule, probability, draw in zip(task.rules, probabilities, draws, strict=False)
        if draw < seeded.threshold(probability)
    )
    salt = repr(draws[15])
    draft = Draft(facts=facts, kept=kept, instructions=reading.instructions, salt=salt)
    return _shaped(task.compose(draft), task, prompt, reading)


def odds(task: Task, facts: Facts, told: Directions, chance: Chance) -> tuple[float, ...]:
    """Probability that each rule is met."""
    tier = chance.tier
    attention = focus(told.load, tier.capacity) * (1 - 0.15 * max(0.0, chance.temperature - 1))
    strain = tier.frailty * facts.difficulty
    found = []
    for rule, precision in zip(task.rules, told.precisions, strict=True):
        unasked = rule.base + tier.lift * (1 - rule.base)
        if precision >= 0:
            wanted = unasked + max(0.0, tier.ceiling - unasked) * precision * attention
        else:
            wanted = unasked * (1 + precision * attention)
        found.append(min(0.985, max(0.015, wanted * (1 - strain))))
    return tuple(found)


@lru_cache(maxsize=1024)
def _with_examples(
    task: Task, precisions: tuple[float, ...], shots: tuple[tuple[str, str], ...]
) -> tuple[float, ...]:
    """Worked examples teach the rules that all of them meet."""
    if not shots:
        return precisions
    shown = _SHOWN[min(len(shots), len(_SHOWN) - 1)]
    raised = []
    for rule, stated in zip(task.rules, precisions, strict=True):
        told = [(facts_of(asked), said) for asked, said in shots]
        relevant = [rule.check(facts, said) for facts, said in told if rule.applies(facts)]
        taught = bool(relevant) and min(relevant) >= 0.99
        raised.append(max(stated, shown) if taught else stated)
    return tuple(raised)


def _shaped(text: str, task: Task, prompt: ChatRequest, reading: Reading) -> str:
    """Wraps the text in the format that the prompt asks for."""
    if _TAG.search(reading.instructions):
        return f"<response>{text}</response>"
    if task.key == "extraction":
        found = _OBJECT.search(text) if prompt.wants_json else None
        return found[0] if found else text
    key = _JSON_KEY.search(reading.instructions)
    if key or prompt.wants_json:
        return json.dumps({key[1] if key else "answer": text}, ensure_ascii=False)
    return text
