"""Kinds of entities that a text mentions, by pattern matching.

Patterns only, without dictionaries or models. A name is two capitalised words in a row, of which
the first is not a function word such as "the", or one that is introduced ("my name is Ada") or
signs the text; two German nouns are mistaken for a name.
"""

import re
from enum import StrEnum

from edison.library.coverage import languages
from edison.library.coverage.case_text import CaseText


class EntityKind(StrEnum):
    NAME = "name"
    NUMBER = "number"
    MONEY = "money"
    DATE = "date"
    EMAIL = "email"
    URL = "url"
    IDENTIFIER = "identifier"


_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|"
    "août|septembre|octobre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto"
)
_CAPITAL, _SMALL = "[A-ZÀ-ÖØ-ÞА-ЯЁ]", "[a-zß-öø-ÿа-яё]"
# Characters or words without which the pattern cannot match; searched in lower case.
_HINTS = {
    EntityKind.EMAIL: ("@",),
    EntityKind.URL: ("://", "www."),
    EntityKind.MONEY: (*"$€£¥₹", "dollar", "euro", "usd", "eur", "gbp", "chf"),
}
_NEED_A_DIGIT = frozenset(
    {EntityKind.MONEY, EntityKind.DATE, EntityKind.IDENTIFIER, EntityKind.NUMBER}
)
_DIGIT = re.compile(r"\d")
_PATTERNS = {
    EntityKind.EMAIL: re.compile(r"[\w+-]@[\w-]+\.\w"),
    EntityKind.URL: re.compile(r"https?://\w|www\.\w"),
    EntityKind.MONEY: re.compile(
        r"[$€£¥₹]\s?\d|\d\s?[$€£¥₹]|\d ?(?:dollars?|euros?|usd|eur|gbp|chf)\b|"
        r"\b(?:usd|eur|gbp|chf) ?\d"
    ),
    EntityKind.DATE: re.compile(
        rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|"
        rf"\b\d{{1,2}}\.? (?:{_MONTHS})\b|\b(?:{_MONTHS}) \d{{1,2}}\b"
    ),
    EntityKind.NUMBER: _DIGIT,
}
_IDENTIFIER = re.compile(r"#\d{2}|\b[A-Z]{1,6}-?\d{3}|\b\d{7}")
_NAME = re.compile(
    rf"\b({_CAPITAL}{_SMALL}+) {_CAPITAL}{_SMALL}|"
    r"\b(?:[Tt]his is|I'm|I am|[Mm]y name is|[Mm]ein Name ist|[Mm]e llamo|[Jj]e m'appelle|"
    rf"Mrs?\.?|Ms\.?|Dr\.?|Herr|Frau) ({_CAPITAL}{_SMALL}+)\b"
)
_ONE_WORD = re.compile(rf"{_CAPITAL}{_SMALL}+")
# Last words of what stands before a signature, and the most characters that they take.
_CLOSINGS = frozenset(
    ("thanks", "you", "regards", "best", "cheers", "sincerely", "wishes", "greetings")
)
LONGEST_CLOSING = 40


def kinds_in(read: CaseText) -> list[EntityKind]:
    has_digit = _DIGIT.search(read.text) is not None
    return [
        kind
        for kind in EntityKind
        if (has_digit or kind not in _NEED_A_DIGIT)
        and any(hint in read.lowered for hint in _HINTS.get(kind, ("",)))
        and _is_in(kind, read)
    ]


def _is_in(kind: EntityKind, read: CaseText) -> bool:
    """Only names and identifiers depend on capital letters."""
    if kind is EntityKind.NAME:
        firsts = [match[match.lastindex or 0].lower() for match in _NAME.finditer(read.text)]
        return any(not languages.is_function_word(first) for first in (*firsts, *_signature(read)))
    if kind is EntityKind.IDENTIFIER:
        return _IDENTIFIER.search(read.text) is not None
    return _PATTERNS[kind].search(read.lowered) is not None


def _signature(read: CaseText) -> list[str]:
    """The last word, if it stands in a paragraph of its own or follows a closing."""
    before, _, last = read.text.rstrip().rpartition("\n")
    *words, name = last.split() or [""]
    is_paragraph = not words and before.rstrip(" \t").endswith("\n")
    words = words or before[-LONGEST_CLOSING:].split()
    is_closed = bool(words) and words[-1].rstrip(",.!").lower() in _CLOSINGS
    if (is_paragraph or is_closed) and _ONE_WORD.fullmatch(name):
        return [name.lower()]
    return []
