"""Base class of guard rails, which keep edits small. Each rail is one module in `guardrails/` and
checks one property.

A rail's class is its settings; its name is stored with its violations. A violation is a sentence
with figures, for users and for the model that is asked to repair its edit.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.change import Change
from edison.pipeline.render.template import Syntax


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """`rail` is the rail's key. `measured` and `allowed` are None where there are no figures."""

    rail: str
    message: str
    measured: float | None = None
    allowed: float | None = None


class GuardRail(BaseModel, ABC):
    model_config = ConfigDict(extra="forbid", frozen=True)

    title: ClassVar[str]
    description: ClassVar[str]

    @classmethod
    def key(cls) -> str:
        return cls.__module__.rpartition(".")[2]

    @abstractmethod
    def limit(self, text: str, syntax: Syntax) -> str:
        """The rail's limit for an edit of this text, as an instruction to the model; empty to say
        it only with a violation.
        """

    @abstractmethod
    def check(self, change: Change) -> Violation | None: ...

    def violation(
        self, message: str, *, measured: float | None = None, allowed: float | None = None
    ) -> Violation:
        return Violation(rail=self.key(), message=message, measured=measured, allowed=allowed)
