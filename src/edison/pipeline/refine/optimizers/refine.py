"""A model reads failing answers and proposes small edits."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from pydantic import Field

from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.optimizer import Optimizer, RefinerInput
from edison.pipeline.refine.refiner import Refiner
from edison.pipeline.refine.suggestion import NoChange, Proposal, SuggestedEdit
from edison.pipeline.refine.weakness import WeakCriterion
from edison.pipeline.score.scorer import Tools

_NOTHING_FAILED = "No answer failed on the weakest criteria: there is nothing to learn from."


class Refine(Optimizer):
    """A model sees the goal, the rubric, the two weakest criteria and up to ten answers that fail
    on them, and proposes a small edit as a diff with a note.

    A single candidate targets both criteria. Of several, the first two target one each, the third
    both, and so on, each with its own seed. An edit that cannot be applied or breaks a guard rail
    is requested a second time with all reasons, and then dropped. The first iteration also has
    "state the rubric" as a candidate, which needs no search.
    """

    title: ClassVar[str] = "Refine"
    description: ClassVar[str] = "Small edits that a model derives from failing answers."

    model_id: UUID = Field(title="Model", json_schema_extra={"x-choose": "model"})
    candidates: int = Field(default=2, ge=1, le=5, title="Suggestions per iteration")
    temperature: float = Field(
        default=0.7, ge=0, le=2, title="Temperature", json_schema_extra=ADVANCED
    )
    seed: int = Field(default=42, ge=0, title="Seed", json_schema_extra=ADVANCED)
    max_tokens: int = Field(
        default=4000,
        ge=200,
        le=100_000,
        title="Max tokens of the reply",
        json_schema_extra=ADVANCED,
    )

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        return (self.model_id,)

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        found = await self._ask(refiner_input, tools) if refiner_input.exemplars else []
        if refiner_input.iteration == 1 and (stated := state_the_rubric(refiner_input)) is not None:
            found.append(stated)
        return _distinct(found) or (NoChange(note=_NOTHING_FAILED),)

    async def _ask(self, refiner_input: RefinerInput, tools: Tools) -> list[Proposal]:
        asking = (
            self._refiner(tools, turn).refine(refiner_input, targets)
            for turn, targets in enumerate(_aims(refiner_input.weak, self.candidates))
        )
        # All requests finish even if one exceeds the budget: the others' answers are already paid
        # for.
        ended = await asyncio.gather(*asking, return_exceptions=True)
        found: list[Proposal] = []
        for proposal in ended:
            if isinstance(proposal, BaseException):
                raise proposal
            found.append(proposal)
        return found

    def _refiner(self, tools: Tools, turn: int) -> Refiner:
        parameters = Parameters(
            temperature=self.temperature, seed=self.seed + turn, max_tokens=self.max_tokens
        )
        return Refiner(model_id=self.model_id, parameters=parameters, tools=tools)


def _aims(weak: Sequence[WeakCriterion], count: int) -> list[Sequence[WeakCriterion]]:
    single = [(one,) for one in weak] if len(weak) > 1 and count > 1 else []
    rounds = [*single, tuple(weak)]
    return [rounds[turn % len(rounds)] for turn in range(count)]


def _distinct(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Of edits with the same result, keeps the first. Keeps one NoChange, and only if there is no
    edit.
    """
    found: dict[object, Proposal] = {}
    for proposal in proposals:
        key: object = proposal
        if isinstance(proposal, SuggestedEdit):
            edited = proposal.prompt
            key = (edited.text, edited.system, edited.few_shots)
        elif isinstance(proposal, NoChange):
            key = NoChange
        found.setdefault(key, proposal)
    if any(isinstance(proposal, SuggestedEdit) for proposal in found.values()):
        found.pop(NoChange, None)
    return tuple(found.values())
