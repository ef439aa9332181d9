"""Base class of comparers, which decide which of two answers is better.

A comparer is one module in `comparers/`: the module's name is its stored kind, and the class is its
settings. It receives two answers to the same case, `a` and `b`, without their origin.
"""

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.scorer import CostClass, Flag, Subject, Tools


class Winner(StrEnum):
    """Stored with comparisons; never rename."""

    A = "a"
    B = "b"
    TIE = "tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderVerdict:
    """Verdict of a judge on the answers in one order. Without a `winner` there is no verdict, and
    `flag` and `problem` say why.
    """

    shown_first: Winner
    winner: Winner | None
    reasons: tuple[str, ...] = ()
    raw: str | None = None
    flag: Flag | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Result of a comparison. Without a `preference`, `flag` says why; a preference with a flag is
    less reliable. `orders` holds a verdict for each order in which the answers were shown, and is
    empty when no judge was asked. `cost_nanos` is set by `compare.compare`.
    """

    preference: Winner | None
    rationale: str | None = None
    flag: Flag | None = None
    orders: tuple[OrderVerdict, ...] = ()
    judge_text: str | None = None
    cost_nanos: int | None = 0


class Comparer(BaseModel, ABC):
    """One way to compare. Instances are immutable and shared by concurrent calls.

    The class docstring states exactly how it compares, for users; `description` is the short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]
    cost_class: ClassVar[CostClass] = CostClass.FREE
    calls_per_pair: ClassVar[int] = 0
    """Number of model calls per pair, for estimates."""

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it calls, so that a run can be validated before it starts."""
        return ()

    @abstractmethod
    async def compare(self, a: Subject, b: Subject, tools: Tools) -> Compared:
        """Compares two answers that are neither malformed nor equal. Raises NotApplicable when no
        preference can be determined; any other exception is a bug.
        """
