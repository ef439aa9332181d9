"""Keeps frozen sections of a prompt as they are."""

from typing import ClassVar

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.frozen import CLOSE, OPEN, frozen_sections
from edison.pipeline.render.template import Syntax

_SHOWN = 60


class FrozenSections(GuardRail):
    """Sections that a person has frozen stay word for word and in order, with their marks."""

    title: ClassVar[str] = "Frozen sections"
    description: ClassVar[str] = "Sections marked as frozen are not changed."

    def limit(self, text: str, syntax: Syntax) -> str:
        if not frozen_sections(text):
            return ""
        return f"Leave all lines from {OPEN} to {CLOSE} exactly as they are, both marks included."

    def check(self, change: Change) -> Violation | None:
        before, after = frozen_sections(change.before), frozen_sections(change.after)
        if before == after:
            return None
        changed = next((each for each in before if each not in after), None)
        if changed is None:
            return self.violation("Frozen sections are added or moved; only a person may do so.")
        words = " ".join(changed.split())
        shown = words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…"
        return self.violation(f"A frozen section is changed: “{shown}”")
