"""Ambiguity of an input, by counting indicators.

The indicators: fewer than four words; a start with a dangling reference ("it", "this"); vague words
("something", "soon", "maybe"); several questions at once; an alternative inside a question. Words
are listed in English, German, French and Spanish; the other indicators work in any language. None
is clear, one is partly open, two or more are ambiguous.
"""

import re
import tomllib
from enum import StrEnum
from pathlib import Path

from edison.library.coverage.case_text import CaseText

FEW_WORDS = 4


class Ambiguity(StrEnum):
    CLEAR = "clear"
    OPEN = "open"
    AMBIGUOUS = "ambiguous"


_LEVELS = (Ambiguity.CLEAR, Ambiguity.OPEN, Ambiguity.AMBIGUOUS)
_WORDS: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "ambiguity.toml").read_text(encoding="utf-8")
)
_REFERRING = frozenset(_WORDS["referring"])
_VAGUE = frozenset(_WORDS["vague"])
_VAGUE_PHRASES = tuple(_WORDS["vague_phrases"])
_ALTERNATIVES = frozenset(_WORDS["alternatives"])
_QUESTIONS = re.compile("[?\uff1f\u061f]+")


def level_of(read: CaseText) -> Ambiguity:
    questions = len(_QUESTIONS.findall(read.text))
    signs = (
        len(read.words) < FEW_WORDS,
        bool(read.words) and read.words[0] in _REFERRING,
        not _VAGUE.isdisjoint(read.words) or any(each in read.lowered for each in _VAGUE_PHRASES),
        questions > 1,
        questions > 0 and not _ALTERNATIVES.isdisjoint(read.words),
    )
    return _LEVELS[min(2, sum(signs))]
