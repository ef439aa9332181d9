"""Adds training cases with expected answers as examples."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.optimizer import (
    TRAIN,
    HeldOutCase,
    Optimizer,
    RefinerInput,
    TrainingCase,
)
from edison.pipeline.refine.parts import (
    LONGEST_EXAMPLE,
    MOST_CHANGED_EXAMPLES,
    check_prompt,
    diff_prompts,
)
from edison.pipeline.refine.suggestion import NoChange, Proposal, SuggestedEdit, SuggestionOrigin
from edison.pipeline.render.prompt_template import FewShot, PromptTemplate
from edison.pipeline.render.template import escape
from edison.pipeline.score.scorer import Tools

# Examples that a prompt has at most: every call pays for them.
MOST_EXAMPLES = 8
# Penalty for each earlier example with the same tag, on the scale of scores.
_REPETITION = 0.2
UNKNOWN_SCORE = 0.5
_NO_CASES = "No training case with an expected answer is left to become an example."
_FULL = f"The prompt has {MOST_EXAMPLES} examples already."


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleChoice:
    """A training case as an example. `score` is that of the version that is improved."""

    key: str
    tags: tuple[str, ...]
    score: float
    shot: FewShot


class FewShotExamples(Optimizer):
    """Adds training cases with their expected answers to the prompt as examples, without calling a
    model. Held-out cases are never used.

    The first suggestion takes the cases on which the prompt scores lowest, with a penalty for
    repeated tags; every further one draws cases at random, the low-scoring ones more often. The
    easiest example comes first, the hardest last. The first iteration also has "state the rubric"
    as a candidate.
    """

    title: ClassVar[str] = "Few-shot examples"
    description: ClassVar[str] = "Training cases become examples. Needs expected answers."

    candidates: int = Field(default=2, ge=1, le=5, title="Candidates per generation")
    examples: int = Field(
        default=3, ge=1, le=MOST_CHANGED_EXAMPLES, title="Examples per suggestion"
    )

    @property
    def most_proposals(self) -> int:
        return self.candidates

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        found = [*self._suggestions(refiner_input)]
        if refiner_input.iteration == 1 and (stated := state_the_rubric(refiner_input)) is not None:
            found.append(stated)
        is_full = len(refiner_input.prompt.few_shots) >= MOST_EXAMPLES
        return tuple(found) or (NoChange(note=_FULL if is_full else _NO_CASES),)

    def _suggestions(self, refiner_input: RefinerInput) -> Iterable[SuggestedEdit]:
        prompt = refiner_input.prompt
        room = min(self.examples, MOST_EXAMPLES - len(prompt.few_shots))
        usable = _usable(refiner_input) if room > 0 else ()
        found: dict[tuple[FewShot, ...], SuggestedEdit] = {}
        for chosen in self._selections(refiner_input, usable, room) if usable else ():
            ordered = sorted(chosen, key=lambda each: (-each.score, each.key))
            edited = replace(
                prompt, few_shots=(*prompt.few_shots, *(each.shot for each in ordered))
            )
            if edited.few_shots not in found and not check_prompt(prompt, edited):
                found[edited.few_shots] = _suggest(prompt, edited, len(ordered))
        return found.values()

    def _selections(
        self, refiner_input: RefinerInput, usable: Sequence[ExampleChoice], count: int
    ) -> Iterator[Sequence[ExampleChoice]]:
        yield _lowest(usable, count)
        draw = random.Random(f"{refiner_input.seed}-{refiner_input.iteration}")  # noqa: S311
        for _ in range(self.candidates - 1):
            yield _drawn(usable, count, draw)


def _usable(refiner_input: RefinerInput) -> list[ExampleChoice]:
    """Cases that can become an example and are none yet, in the order of their keys."""
    prompt, scores = refiner_input.prompt, _scores(refiner_input)
    found = []
    for case in sorted(refiner_input.cases, key=lambda each: each.key):
        if case.split != TRAIN:
            raise HeldOutCase("A held-out case must not become an example.")
        if not (case.expected or "").strip():
            continue
        shot = FewShot(
            user=escape(_question(prompt, case), prompt.syntax),
            assistant=escape(case.expected or "", prompt.syntax),
        )
        is_short = max(len(shot.user), len(shot.assistant)) <= LONGEST_EXAMPLE
        if shot.user.strip() and is_short and shot not in prompt.few_shots:
            score = scores.get(case.key, UNKNOWN_SCORE)
            found.append(ExampleChoice(key=case.key, tags=case.tags, score=score, shot=shot))
    return found


def _question(prompt: PromptTemplate, case: TrainingCase) -> str:
    """The value of the only variable, or all values with their names."""
    names = [name for name in prompt.variables() if name in case.inputs]
    if len(names) == 1:
        return str(case.inputs[names[0]])
    return "\n".join(f"{name}: {case.inputs[name]}" for name in names)


def _scores(refiner_input: RefinerInput) -> Mapping[str, float]:
    """Of the version that is improved; empty if it was not measured."""
    same = [each for each in refiner_input.pool if each.prompt == refiner_input.prompt]
    return same[-1].scores if same else {}


def _lowest(usable: Sequence[ExampleChoice], count: int) -> Sequence[ExampleChoice]:
    left, chosen = list(usable), list[ExampleChoice]()
    used: Counter[str] = Counter()
    while left and len(chosen) < count:
        best = min(
            left,
            key=lambda each: (
                each.score + _REPETITION * max((used[tag] for tag in each.tags), default=0)
            ),
        )
        left.remove(best)
        chosen.append(best)
        used.update(best.tags)
    return chosen


def _drawn(
    usable: Sequence[ExampleChoice], count: int, draw: random.Random
) -> Sequence[ExampleChoice]:
    """At random without repetition; low scores are drawn more often."""
    left, chosen = list(usable), list[ExampleChoice]()
    while left and len(chosen) < count:
        (each,) = draw.choices(left, [1.1 - each.score for each in left])
        left.remove(each)
        chosen.append(each)
    return chosen


def _suggest(prompt: PromptTemplate, edited: PromptTemplate, count: int) -> SuggestedEdit:
    added = "1 training case as an example" if count == 1 else f"{count} training cases as examples"
    return SuggestedEdit(
        origin=SuggestionOrigin.REFINER,
        prompt=edited,
        diff=diff_prompts(prompt, edited),
        note=f"Adds {added}.",
        targets=(),
    )
