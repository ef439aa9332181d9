"""Extracts facts from any material: names, codes, amounts, dates, sentences."""

import re
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass
from edison.simulation.sentences import FUNCTION_WORDS, split_sentences, words_of

_NAME = re.compile(
    r"(?:[Mm]y name is|I am called|[Tt]his is|I'm|[Mm]ein Name ist|[Jj]e m'appelle|[Mm]e llamo)\s+"
    r"([A-ZÀ-Ý][\w'-]+)"
    r"|(?:regards|wishes|thanks|thank you|cheers|best|yours|sincerely|Grüße|Grüßen|cordialement|"
    r"saludos)[ \t]*,?\s*\n?\s*([A-ZÀ-Ý][\w'-]+)(?:\s+[A-ZÀ-Ý][\w'-]+)?\s*$"
    r"|(?:^|\n)\s*[-\u2013\u2014]\s*([A-ZÀ-Ý][\w'-]+)(?:\s+[A-ZÀ-Ý][\w.'-]+)?\s*$",
)
_CODE = re.compile(r"#\d{3,}|\b[A-Z]{1,5}-?\d{3,}(?:-\d+)*\b|\b[A-Z]{2,5}(?:-[A-Z0-9]+)+-?\d+\b")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_FIGURE = re.compile(r"\d[\d.,:]*\d|\d")
_HARD = re.compile(
    r"\b(?:but|however|although|instead|unless|except|not sure|actually|yet|confus\w+|either|"
    r"neither|also|second time|third time|again|apparently|supposedly)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Facts:
    """`difficulty` is 0 to 1: long, hedged, self-correcting texts are harder."""

    text: str
    sentences: tuple[str, ...]
    name: str | None
    code: str | None
    email: str | None
    figures: tuple[str, ...]
    difficulty: float


@lru_cache(maxsize=4096)
def facts_of(text: str) -> Facts:
    sentences = tuple(split_sentences(text))
    name = _NAME.search(text)
    code = _CODE.search(text)
    email = _EMAIL.search(text)
    length = len(text.split())
    hard = len(_HARD.findall(text))
    return Facts(
        text=text,
        sentences=sentences,
        name=next((group for group in name.groups() if group), None) if name else None,
        code=code[0] if code else None,
        email=email[0] if email else None,
        figures=tuple(_FIGURE.findall(text)),
        difficulty=min(1.0, max(0.0, (length - 30) / 160) + 0.17 * hard),
    )


@lru_cache(maxsize=16384)
def content_words(text: str) -> frozenset[str]:
    """Words that carry meaning, truncated to approximate stems."""
    return frozenset(
        word[:7] for word in words_of(text) if word not in FUNCTION_WORDS and len(word) > 2
    )


def overlap(part: str, whole: str) -> float:
    """Share of the part's content words that the whole contains."""
    wanted = content_words(part)
    return len(wanted & content_words(whole)) / len(wanted) if wanted else 0.0


def word_count(text: str) -> int:
    return len(text.split())
