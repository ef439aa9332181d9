"""Offline language detection, in microseconds.

The script decides where it can: kana is Japanese, Hangul Korean, Han alone Chinese, and so on.
Languages in Latin or Cyrillic script are distinguished by their most frequent function words and by
letters that only one of them has. Texts with too little evidence, and languages not listed here,
have no language.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# Scripts that identify a language; the first match wins.
_SCRIPTS = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("zh", "\u3400-\u9fff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff"),
    ("el", "\u0370-\u03ff"),
)
_FOREIGN = "\u0370-\u03ff\u0590-\u06ff\u0900-\u097f\u0e00-\u0e7f\u3040-\u9fff\uac00-\ud7af"
_FOREIGN_SHARE = 0.2
_KNOWN: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "languages.toml").read_text(encoding="utf-8")
)
NAMES = {language: known["name"] for language, known in _KNOWN.items()}
_FOLLOWERS: dict[str, list[str]] = {}
for _language, _known in _KNOWN.items():
    for _word in dict.fromkeys(_known.get("words", "").split()):
        _FOLLOWERS.setdefault(_word, []).append(_language)
_OWNERS = {
    letter: language for language, known in _KNOWN.items() for letter in known.get("letters", "")
}
_OWN_LETTER = re.compile(f"[{''.join(_OWNERS)}]")


@cache
def _one_of(letters: str) -> re.Pattern[str]:
    """Compiled at its first use: patterns with thousands of letters take milliseconds."""
    return re.compile(f"[{letters}]")


def is_function_word(word: str) -> bool:
    """Whether the word is a function word of some language."""
    return word in _FOLLOWERS


def detect(text: str, words: Sequence[str]) -> str | None:
    """A code of `NAMES`; None when undetermined. `words` are the text's words in lower case."""
    if language := _by_script(text):
        return language
    points: Counter[str] = Counter()
    for word in words:
        # A word shared by many languages counts less for each.
        if followers := _FOLLOWERS.get(word):
            for language in followers:
                points[language] += 6 // len(followers)
    if not text.isascii():
        for letter in set(_OWN_LETTER.findall(text)):
            points[_OWNERS[letter]] += 4
    return _winner(points, len(words))


def _by_script(text: str) -> str | None:
    if text.isascii():
        return None
    found = len(_one_of(_FOREIGN).findall(text))
    letters = sum(map(str.isalpha, text))
    if not found or found < _FOREIGN_SHARE * letters:
        return None
    return next((language for language, script in _SCRIPTS if _one_of(script).search(text)), None)


def _winner(points: Counter[str], words: int) -> str | None:
    """The leading language, unless tied or with too little evidence for the length of the text."""
    if not points:
        return None
    leading = points.most_common(2)
    language, most = leading[0]
    is_tied = len(leading) == 2 and leading[1][1] == most
    return None if is_tied or most < min(12, 3 + words // 4) else language
