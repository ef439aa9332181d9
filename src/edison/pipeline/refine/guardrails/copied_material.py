"""Limits what instructions copy from training cases, so that a prompt does not memorise them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar

from pydantic import Field

from edison.pipeline.refine.change import Change, words_of
from edison.pipeline.refine.guardrail import GuardRail, Violation
from edison.pipeline.render.template import Syntax


class CopiedMaterial(GuardRail):
    """No passage of a training case, input or expected answer, is pasted into the instructions.
    Examples may be training cases and are not instructions.
    """

    title: ClassVar[str] = "Copied material"
    description: ClassVar[str] = "No more than 7 consecutive words come from a training case."

    most: int = Field(default=7, ge=1)

    def limit(self, text: str, syntax: Syntax) -> str:
        # Said only when an edit breaks it: examples may be copied, and most edits copy nothing.
        return ""

    def check(self, change: Change) -> Violation | None:
        size = self.most + 1
        known = set(_passages(words_of(change.before), size))
        longest = run = 0
        for passage in _passages(words_of(change.after), size):
            is_copied = passage not in known and _line_of(passage) in _lines_of(change.material)
            run = run + 1 if is_copied else 0
            longest = max(longest, run)
        if longest == 0:
            return None
        words = longest + self.most
        message = (
            f"{words} words in a row are copied from a training case; {self.most} are allowed."
        )
        return self.violation(message, measured=words, allowed=self.most)


def _passages(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _line_of(words: Iterable[str]) -> str:
    """Between spaces, so that it is found in another line only by whole words."""
    return f" {' '.join(words)} "


@lru_cache(maxsize=4)
def _lines_of(material: tuple[str, ...]) -> str:
    """The words of each text on a line of its own. Kept, since many edits are checked against the
    same cases.
    """
    return "\n".join(_line_of(words_of(text)) for text in material)
