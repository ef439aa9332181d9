"""The protocol behind which everything lives that says which of two answers is better.

A comparer is one file in `comparers/`, as a scorer is one in `scorers/`: the file's name is its
stored kind, and the class is its settings. It sees two answers to the same case, `a` and `b`, and
does not know where they come from.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from edison.pipeline.score.scorer import CostClass, Flag, Subject, Tools


class Winner(StrEnum):
    """Stored with comparisons; never rename."""

    A = "a"
    B = "b"
    TIE = "tie"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderVerdict:
    """What a judge says that was shown the answers in one order. Without a `winner` there is no
    verdict, and `flag` and `problem` say why.
    """

    shown_first: Winner
    winner: Winner | None
    reasons: tuple[str, ...] = ()
    raw: str | None = None
    flag: Flag | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What a comparer says. Without a `preference` it cannot tell, and `flag` says why; with a flag
    the preference is to be taken with care. `orders` holds a verdict for each order in which the
    answers were shown, none when nobody had to be asked. `cost_nanos` is set by whoever compares.
    """

    preference: Winner | None
    rationale: str | None = None
    flag: Flag | None = None
    orders: tuple[OrderVerdict, ...] = ()
    judge_text: str | None = None
    cost_nanos: int | None = 0


class Comparer(BaseModel, ABC):
    """One way to compare. Instances are immutable and shared by concurrent calls.

    The class's docstring says exactly how it compares, for people; `description` is its short form.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    title: ClassVar[str]
    description: ClassVar[str]
    cost_class: ClassVar[CostClass] = CostClass.FREE
    calls_per_pair: ClassVar[int] = 0
    """How often models are asked about one pair, for estimates."""

    @property
    def model_ids(self) -> tuple[UUID, ...]:
        """The models it asks, so that a run can be checked before it begins."""
        return ()

    @abstractmethod
    async def compare(self, a: Subject, b: Subject, tools: Tools) -> Compared:
        """Two answers that are neither malformed nor the same. Raises NotApplicable when it cannot
        tell; any other exception is a bug.
        """
