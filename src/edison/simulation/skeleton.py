"""Shared code of the simulated drafter and generator: parsing requests, filling texts."""

import re
from typing import Any

from edison.simulation.data import read_data
from edison.simulation.sentences import FUNCTION_WORDS, words_of

_LANGUAGES = {"german": "de", "french": "fr", "spanish": "es", "english": "en"}
_CODES = re.compile(r"\blanguages?\b\W{0,6}((?:[a-z]{2}\b[, ]*)+|[A-Za-z, ]+)", re.IGNORECASE)
_NOISE = frozenset(read_data("words")["noise"].split())


def drafts() -> dict[str, Any]:
    return read_data("drafts")


def number_after(text: str, label: str, default: int) -> int:
    found = re.search(rf"\b(?:{label})\b\D{{0,12}}(\d{{1,4}})", text, re.IGNORECASE)
    return int(found[1]) if found else default


def languages_in(text: str) -> list[str]:
    found = [code for name, code in _LANGUAGES.items() if re.search(rf"\b{name}\b", text, re.I)]
    listed = _CODES.search(text)
    if listed and not found:
        found = [code for code in words_of(listed[1]) if code in _LANGUAGES.values()]
    return found or ["en"]


def topic_of(text: str) -> str:
    words = [w for w in words_of(text) if w not in FUNCTION_WORDS | _NOISE and len(w) > 3]
    return " ".join(words[:3]) or "this subject"
