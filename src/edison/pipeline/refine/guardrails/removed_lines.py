"""Limits the number of consecutive removed lines, so that no section disappears."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax


class RemovedLines(GuardRail):
    """No long run of lines is removed in one place, whether or not it is replaced."""

    title: ClassVar[str] = "Removed lines"
    description: ClassVar[str] = "No more than 5 consecutive lines are removed."

    most: int = Field(default=5, ge=0)

    def limit(self, text: str, syntax: Syntax) -> str:
        return f"Remove or replace at most {self.most} lines in a row."

    def check(self, change: Change) -> Violation | None:
        longest = max((block.end - block.start for block in change.blocks()), default=0)
        if longest <= self.most:
            return None
        message = f"{longest} consecutive lines are removed; {self.most} are allowed."
        return self.violation(message, measured=longest, allowed=self.most)
