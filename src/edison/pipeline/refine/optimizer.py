"""Base class of optimizers, which propose changes of a prompt and decide nothing.

An optimizer is one module in `optimizers/`; its name is the stored kind, its class its settings. It
gets a `RefinerInput`, which includes all earlier suggestions, and keeps no state: the same input
gives the same model calls, so an interrupted step repeats from the cache. The loop that calls it
runs, pays for and scores its proposals.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.aggregate.results import Verdict
from edison.pipeline.refine.exemplars import Exemplar
from edison.pipeline.refine.suggestion import Proposal
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorer import Tools


class SuggestionFate(StrEnum):
    """The decision on a suggestion. Stored; never rename."""

    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierSuggestion:
    """An earlier suggestion and its result. `prompt` is the version that was run, if any; `reason`
    is the reviewer's; `verdict` and `difference`, of composites in 0..1, compare it with its base.
    """

    prompt: PromptTemplate
    diff: str
    note: str
    targets: tuple[str, ...]
    fate: SuggestionFate
    reason: str = ""
    verdict: Verdict | None = None
    difference: float | None = None


TRAIN = "train"


class HeldOutCase(RuntimeError):
    """A held-out case reached an optimizer. A bug: its test on these cases would prove nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingCase:
    """A case that optimizers may learn from. `key` is the same for equal contents."""

    key: str
    inputs: Mapping[str, Any]
    expected: str | None = None
    tags: tuple[str, ...] = ()
    split: str = TRAIN

    def texts(self) -> tuple[str, ...]:
        found = [value for value in self.inputs.values() if isinstance(value, str)]
        return tuple(found) if self.expected is None else (*found, self.expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolMember:
    """A measured version of the prompt. `scores` are composites in 0..1 by the key of the training
    case, means over all model configurations. `weak` and `exemplars` are its own weaknesses, where
    they are known.
    """

    prompt: PromptTemplate
    scores: Mapping[str, float]
    weak: tuple[WeakCriterion, ...] = ()
    exemplars: tuple[Exemplar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinerInput:
    """State of a loop after an iteration, counted from 1: the prompt that was run and its
    weaknesses. `history` is all earlier suggestions, oldest first.

    `pool` is all measured versions, oldest first, `cases` the training cases. `seed` is the same
    whenever the step is repeated. `money_left_nanos` may differ then, so that requests to models
    must not depend on it; None is no budget. Raises HeldOutCase.
    """

    iteration: int
    goal: str
    prompt: PromptTemplate
    criteria: tuple[TargetCriterion, ...]
    weak: tuple[WeakCriterion, ...]
    exemplars: tuple[Exemplar, ...]
    history: tuple[EarlierSuggestion, ...] = ()
    pool: tuple[PoolMember, ...] = ()
    cases: tuple[TrainingCase, ...] = ()
    seed: int = 42
    money_left_nanos: int | None = None

    def __post_init__(self) -> None:
        held_out = [case.key for case in self.cases if case.split != TRAIN]
        if held_out:
            raise HeldOutCase(f"{len(held_out)} cases are not training cases.")

    def material(self) -> tuple[str, ...]:
        """The texts that must not be copied into the instructions."""
        return tuple(text for case in self.cases for text in case.texts())


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

    @property
    def most_proposals(self) -> int:
        """Proposals of one step at most, so that their cost can be estimated."""
        return 1

    def stages(self, cases: int) -> tuple[int, ...]:
        """Growing numbers of training cases after which a loop may drop candidates that are shown
        to be worse; the last one is `cases`.
        """
        return (cases,)

    @abstractmethod
    async def propose(self, refiner_input: RefinerInput, tools: Tools) -> tuple[Proposal, ...]:
        """Returns proposals, the most promising first; never empty. Exceptions raised by `tools`
        propagate to the caller; any other exception is a bug.
        """
