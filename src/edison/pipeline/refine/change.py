"""An edit of a prompt's main text, as guard rails see it."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from edison.pipeline.refine.diff import split_lines
from edison.pipeline.render.template import Syntax

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that were replaced by others: none of one kind are lines only added or removed."""

    removed: tuple[str, ...]
    added: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    before: str
    after: str
    syntax: Syntax = Syntax.DOUBLE

    def blocks(self) -> tuple[Block, ...]:
        """What differs, line by line, from top to bottom."""
        old, new = split_lines(self.before), split_lines(self.after)
        return tuple(
            Block(removed=tuple(old[first:end]), added=tuple(new[new_first:new_end]))
            for tag, first, end, new_first, new_end in _opcodes(old, new)
            if tag != "equal"
        )

    def kept_words(self) -> tuple[int, int]:
        """How many words are still there in their order, and how many there were. Neither case nor
        punctuation counts.
        """
        old, new = _words(self.before), _words(self.after)
        kept = sum(end - first for tag, first, end, *_ in _opcodes(old, new) if tag == "equal")
        return kept, len(old)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _opcodes(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    # Frequent lines and words count like all others, in long texts too.
    return list(difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
