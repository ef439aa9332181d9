"""How much an input leaves open, by counting signs of it.

The signs: fewer than four words; a start that refers to something not there ("it", "this");
words that fix nothing ("something", "soon", "maybe"); several questions at once; an alternative
inside a question. Words are known in English, German, French and Spanish; the other signs hold in
any language. No sign is clear, one leaves something open, two or more are ambiguous.
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
