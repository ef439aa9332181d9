"""The optimizer protocol: an optimizer proposes changes of a prompt and decides nothing.

An optimizer is one file in `optimizers/`; its name is the stored kind, its class its settings. It
gets a `RefinerInput`, which includes everything tried before, and keeps no state: the same input
gives the same questions, so an interrupted step repeats from the cache. The loop that calls it
runs, pays for and scores its proposals.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.exemplars import Exemplar
from edison.pipeline.refine.suggestion import Proposal
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorer import Tools


class Fate(StrEnum):
    """What people decided about a suggestion. Stored; never rename."""

    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An earlier suggestion and what came of it. `prompt` is what was run, if it was; `reason` is
    the reviewer's; `verdict` and `difference`, of composites in 0..1, compare it with its base.
    """

    prompt: PromptTemplate
    diff: str
    note: str
    targets: tuple[str, ...]
    fate: Fate
    reason: str = ""
    verdict: Verdict | None = None
    difference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinerInput:
    """Where a loop stands after an iteration, counted from 1: the prompt that was run and what it
    did badly. `history` is everything suggested before, oldest first.
    """

    iteration: int
    goal: str
    prompt: PromptTemplate
    criteria: tuple[TargetCriterion, ...]
    weak: tuple[WeakCriterion, ...]
    exemplars: tuple[Exemplar, ...]
    history: tuple[Tried, ...] = ()


class Optimizer(BaseModel, ABC):
    """One way to improve prompts. Instances are immutable.

    The class's docstring says exactly what it does, for people; `description` is its short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it asks, so that a loop can be checked before it begins."""
        return ()

    @abstractmethod
    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        """What to try next, the most promising first; never empty. What `tools` raise goes back to
        their owner, anything else that is raised is a bug.
        """
