"""What keeps an edit small: each rail is one file in `guardrails/` and looks at one thing.

A rail's class is its settings, its name is stored with what it finds. Rails say what is wrong in a
sentence with figures, for people and for the model that is asked to try again.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from edison.pipeline.refine.change import Change
from edison.pipeline.render.template import Syntax


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """`rail` is the rail's key. What cannot be put into figures has none."""

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
        """What an edit of this text has to keep to, as an instruction to whoever makes it."""

    @abstractmethod
    def check(self, change: Change) -> Violation | None: ...

    def violation(
        self, message: str, *, measured: float | None = None, allowed: float | None = None
    ) -> Violation:
        return Violation(rail=self.key(), message=message, measured=measured, allowed=allowed)
