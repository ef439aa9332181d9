"""Rejects rewrites: an edit must keep the prompt's structure."""

import re
from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import split_lines
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax

_HEADING = re.compile(r"#{1,6}[ \t]+\S|</?[A-Za-z][\w.:-]*>[ \t]*$")


class Structure(GuardRail):
    """Most words of the prompt stay, in their order, and so do its headings and the tags that stand
    alone on a line. Additions do not count.
    """

    title: ClassVar[str] = "Structure"
    description: ClassVar[str] = "Headings and at least 60 % of the words stay in their order."

    least_kept: float = Field(default=0.6, ge=0, le=1)

    def limit(self, text: str, syntax: Syntax) -> str:
        return "Keep the structure: no new prompt, and all headings as and where they are."

    def check(self, change: Change) -> Violation | None:
        lost = _first_lost(_headings(change.before), _headings(change.after))
        if lost is not None:
            return self.violation(f"The heading “{lost}” is removed, renamed or moved.")
        kept, words = change.kept_words()
        if kept >= self.least_kept * words:
            return None
        share = kept / words
        message = (
            f"Only {share:.0%} of the words stay where they are; {self.least_kept:.0%} have to, "
            "since this is to be an edit and not a new prompt."
        )
        return self.violation(message, measured=share, allowed=self.least_kept)


def _headings(text: str) -> list[str]:
    return [line.strip() for line in split_lines(text) if _HEADING.match(line.strip())]


def _first_lost(old: list[str], new: list[str]) -> str | None:
    """The first old heading that is missing from the new text, or out of order."""
    left = iter(new)
    return next((heading for heading in old if heading not in left), None)
