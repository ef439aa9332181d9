"""Limits the change of a prompt's length."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax


class LengthChange(GuardRail):
    """The prompt's length changes by at most a share of it. A minimum number of characters is
    always allowed, so that short prompts can be edited.
    """

    title: ClassVar[str] = "Length"
    description: ClassVar[str] = "The prompt's length changes by 15 % at most."

    share: float = Field(default=0.15, ge=0, le=1)
    always_allowed: int = Field(default=160, ge=0)

    def limit(self, text: str, syntax: Syntax) -> str:
        return f"Make it longer or shorter by at most {self._allowed(text)} characters."

    def check(self, change: Change) -> Violation | None:
        before = len(change.before)
        difference = len(change.after) - before
        allowed = self._allowed(change.before)
        if abs(difference) <= allowed:
            return None
        way = "longer" if difference > 0 else "shorter"
        message = (
            f"The prompt gets {abs(difference)} characters {way}; at its length of {before}, "
            f"{allowed} are allowed."
        )
        return self.violation(message, measured=abs(difference), allowed=allowed)

    def _allowed(self, text: str) -> int:
        return max(self.always_allowed, int(self.share * len(text)))
