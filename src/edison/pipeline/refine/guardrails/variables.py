"""Requires that the set of variables does not change."""

from typing import ClassVar

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax, parse


class Variables(GuardRail):
    """No variable is added, removed or renamed, in the prompt's syntax. A variable may be used more
    or less often, and in other places. A Nunjucks template must stay valid.
    """

    title: ClassVar[str] = "Variables"
    description: ClassVar[str] = "No variable is added, removed or renamed."

    def limit(self, text: str, syntax: Syntax) -> str:
        names = parse(text, syntax).names()
        if not names:
            return "Add no variables."
        written = ", ".join(f"{syntax.opening}{name}{syntax.closing}" for name in names)
        return f"Keep these variables and add no other: {written}."

    def check(self, change: Change) -> Violation | None:
        revised = parse(change.after, change.syntax)
        if problem := revised.find_problem():
            return self.violation(problem, measured=1, allowed=0)
        before, after = parse(change.before, change.syntax).names(), revised.names()
        removed = [name for name in before if name not in after]
        added = [name for name in after if name not in before]
        found = []
        if removed:
            found.append(f"{_listed(removed, change)} no longer used")
        if added:
            found.append(f"{_listed(added, change)} new")
        if not found:
            return None
        message = f"Variables must stay as they are: {' and '.join(found)}."
        return self.violation(message, measured=len(removed) + len(added), allowed=0)


def _listed(names: list[str], change: Change) -> str:
    opening, closing = change.syntax.opening, change.syntax.closing
    written = ", ".join(f"{opening}{name}{closing}" for name in names)
    return f"{written} {'is' if len(names) == 1 else 'are'}"
