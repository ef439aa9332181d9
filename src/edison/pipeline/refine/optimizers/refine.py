"""A model reads failing answers and proposes small edits."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.generate.fields import ADVANCED
from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.model_optimizer import ModelOptimizer
from edison.pipeline.refine.optimizer import RefinerInput
from edison.pipeline.refine.proposals import aims_of, distinct_proposals, gather_proposals
from edison.pipeline.refine.suggestion import NoChange, Proposal
from edison.pipeline.score.scorer import Tools

_NOTHING_FAILED = "No answer failed on the weakest criteria: there is nothing to learn from."


class Refine(ModelOptimizer):
    """A model sees the goal, the rubric, the two weakest criteria and up to ten answers that fail
    on them, and proposes a small edit as a diff with a note.

    A single candidate targets both criteria. Of several, the first two target one each, the third
    both, and so on, each with its own seed. An edit that cannot be applied or breaks a guard rail
    is requested a second time with all reasons, and then dropped. The first iteration also has
    "state the rubric" as a candidate, which needs no search.
    """

    title: ClassVar[str] = "Refine"
    description: ClassVar[str] = "Small edits that a model derives from failing answers."

    candidates: int = Field(default=2, ge=1, le=5, title="Candidates per generation")
    temperature: float = Field(
        default=0.7, ge=0, le=2, title="Temperature", json_schema_extra=ADVANCED
    )
    seed: int = Field(default=42, ge=0, title="Seed", json_schema_extra=ADVANCED)

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        found: list[Proposal] = []
        if refiner_input.exemplars:
            found += await gather_proposals(
                self.refiner(tools, seed=self.seed + turn).refine(refiner_input, targets)
                for turn, targets in enumerate(aims_of(refiner_input.weak, self.candidates))
            )
        if refiner_input.iteration == 1 and (stated := state_the_rubric(refiner_input)) is not None:
            found.append(stated)
        return distinct_proposals(found) or (NoChange(note=_NOTHING_FAILED),)
