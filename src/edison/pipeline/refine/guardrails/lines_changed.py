"""Limits the number of changed lines."""

from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import split_lines
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax


class LinesChanged(GuardRail):
    """At most a share of the lines is added, removed or replaced; a replaced line counts once. A
    minimum number of lines is always allowed, so that short prompts can be edited.
    """

    title: ClassVar[str] = "Lines"
    description: ClassVar[str] = "At most 20 % of the lines change."

    share: float = Field(default=0.2, ge=0, le=1)
    always_allowed: int = Field(default=2, ge=0)

    def limit(self, text: str, syntax: Syntax) -> str:
        return f"Add, remove or change at most {self._allowed(text)} lines in all."

    def check(self, change: Change) -> Violation | None:
        count = len(split_lines(change.before))
        changed = sum(
            max(block.end - block.start, block.new_end - block.new_start)
            for block in change.blocks()
        )
        allowed = self._allowed(change.before)
        if changed <= allowed:
            return None
        message = f"{changed} lines change; of {count} lines, {allowed} are allowed to."
        return self.violation(message, measured=changed, allowed=allowed)

    def _allowed(self, text: str) -> int:
        return max(self.always_allowed, int(self.share * len(split_lines(text))))
