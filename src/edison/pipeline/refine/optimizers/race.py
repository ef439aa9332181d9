"""Many edits at once, measured on growing numbers of cases while losers drop out."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.elimination import stages_of
from edison.pipeline.refine.model_optimizer import ModelOptimizer
from edison.pipeline.refine.optimizer import RefinerInput
from edison.pipeline.refine.proposals import aims_of, distinct_proposals, gather_proposals
from edison.pipeline.refine.suggestion import NoChange, Proposal
from edison.pipeline.score.scorer import Tools

_DONE = "The race is over: all candidates entered in the first generation."
_NOTHING_FAILED = "No answer failed on the weakest criteria: there is nothing to learn from."


class Race(ModelOptimizer):
    """A model proposes many edits in the first generation, with different targets and seeds; "state
    the rubric" takes part. An optimization measures them on few training cases first, then on more,
    and drops a candidate as soon as another one is shown to be better by a test that stays valid
    under repeated looks. Later generations propose nothing.
    """

    title: ClassVar[str] = "Race"
    description: ClassVar[str] = "Many edits at once; losers drop out early and save money."

    candidates: int = Field(default=10, ge=1, le=24, title="Candidates")
    first_cases: int = Field(default=8, ge=4, le=1000, title="Cases of the first stage")
    second_cases: int = Field(default=20, ge=4, le=1000, title="Cases of the second stage")

    def stages(self, cases: int) -> tuple[int, ...]:
        return stages_of(cases, (self.first_cases, self.second_cases))

    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        if refiner_input.iteration > 1:
            return (NoChange(note=_DONE),)
        found: list[Proposal] = []
        if refiner_input.exemplars:
            found += await gather_proposals(
                self.refiner(tools, seed=refiner_input.seed + turn).refine(refiner_input, targets)
                for turn, targets in enumerate(aims_of(refiner_input.weak, self.candidates))
            )
        if (stated := state_the_rubric(refiner_input)) is not None:
            found.append(stated)
        return distinct_proposals(found) or (NoChange(note=_NOTHING_FAILED),)
