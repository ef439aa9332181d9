"""An edit of a prompt's main text, as input to guard rails."""

import re

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.refine.alignment import Block, common_length, differing_blocks
from edison.pipeline.refine.diff import split_lines
from edison.pipeline.render.template import Syntax

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """`material` are texts of training cases."""

    before: str
    after: str
    syntax: Syntax = Syntax.DOUBLE
    material: tuple[str, ...] = ()

    def blocks(self) -> list[Block]:
        """Differences by line, from top to bottom."""
        return differing_blocks(split_lines(self.before), split_lines(self.after))

    def kept_words(self) -> tuple[int, int]:
        """Number of words that remain in order, and number of words before. Case and punctuation
        are ignored.
        """
        old, new = words_of(self.before), words_of(self.after)
        return common_length(old, new), len(old)


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
