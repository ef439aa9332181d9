"""What every way to improve a prompt has in common: it proposes, and others decide.

An optimizer is one file in `optimizers/`; its name is the stored kind, its class its settings. It
sees a `Situation`, which holds all that was tried before, and keeps nothing itself: the same
situation gives the same questions, so that a step that was cut short can be taken again from the
cache. Whoever runs a loop runs, pays for and judges what it proposes.
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
class Situation:
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
    async def propose(self, situation: Situation, tools: Tools) -> tuple[Proposal, ...]:
        """What to try next, the most promising first; never empty. What `tools` raise goes back to
        their owner, anything else that is raised is a bug.
        """
