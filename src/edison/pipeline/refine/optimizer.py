"""Base class of optimizers, which propose changes of a prompt and decide nothing.

An optimizer is one module in `optimizers/`; its name is the stored kind, its class its settings. It
gets a `RefinerInput`, which includes all earlier suggestions, and keeps no state: the same input
gives the same model calls, so an interrupted step repeats from the cache. The loop that calls it
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
    """The decision on a suggestion. Stored; never rename."""

    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An earlier suggestion and its result. `prompt` is the version that was run, if any; `reason`
    is the reviewer's; `verdict` and `difference`, of composites in 0..1, compare it with its base.
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
    """State of a loop after an iteration, counted from 1: the prompt that was run and its
    weaknesses. `history` is all earlier suggestions, oldest first.
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

    The class docstring states exactly what it does, for users; `description` is the short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it calls, so that a loop can be validated before it starts."""
        return ()

    @abstractmethod
    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        """Returns proposals, the most promising first; never empty. Exceptions raised by `tools`
        propagate to the caller; any other exception is a bug.
        """
