"""Stems of English words by Porter's algorithm, with the deviations of the implementation that
promptfoo uses.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

Endings = Sequence[tuple[str, str]]

_STEP_2: Endings = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
    ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
    ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"),
    ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP_3: Endings = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
_STEP_4 = re.compile(
    r"(.+?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)"
)
_STEP_4_ION = re.compile(r"(.+?[st])ion")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    if len(word) < 3:
        return word
    word = _step_1c(_step_1b(_step_1a(word.lower())))
    word = _replaced(_replaced(word, _STEP_2), _STEP_3)
    return _step_5(_step_4(word))


def _groups(word: str) -> str:
    """Consonants as C and vowels as V, neighbours of a kind together."""
    word = re.sub(r"[^aeiouy]+y", "CV", word)
    return re.sub(r"[^V]+", "C", re.sub(r"[aeiou]+", "V", word))


def _letters(word: str) -> str:
    word = re.sub(r"[^aeiouy]y", "CV", word)
    return re.sub(r"[^V]", "C", re.sub(r"[aeiou]", "V", word))


def _measure(word: str) -> float:
    return len(_groups(word).removeprefix("C").removesuffix("V")) / 2 if word else -1


def _step_1a(word: str) -> str:
    if re.search(r"(ss|i)es$", word):
        return word[:-2]
    is_plural = word.endswith("s") and not word.endswith("ss") and len(word) > 2
    return word[:-1] if is_plural else word


def _step_1b(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    found = re.search(r"(ed|ing)$", word)
    base = word[: found.start()] if found else ""
    if not base or "V" not in _groups(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return f"{base}e"
    if re.search(r"([^aeiou])\1$", base) and base[-1] not in "lsz":
        return base[:-1]
    is_short = _measure(base) == 1 and _letters(base)[-3:] == "CVC" and base[-1] not in "wxy"
    return f"{base}e" if is_short else base


def _step_1c(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and "V" in _groups(word)[:-1] else word


def _replaced(word: str, endings: Endings) -> str:
    made = word
    for ending, replacement in endings:
        if word.endswith(ending) and _measure(word.removesuffix(ending)) > 0:
            made = made.removesuffix(ending) + replacement if made.endswith(ending) else made
    return made or word


def _step_4(word: str) -> str:
    for pattern in (_STEP_4, _STEP_4_ION):
        found = pattern.fullmatch(word)
        if found and _measure(found[1]) > 1:
            return found[1]
    return word


def _step_5(word: str) -> str:
    measure = _measure(word.removesuffix("e"))
    is_short = _letters(word)[-4:-1] == "CVC" and re.search(r"[^wxy].$", word) is not None
    if measure > 1 or (measure == 1 and not is_short):
        word = word.removesuffix("e")
    return word[:-1] if _measure(word) > 1 and word.endswith("ll") else word
