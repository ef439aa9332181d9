"""What counts as a real sentence, and which sentences tell somebody to do something.

Words alone must not help a prompt: a heap of keywords, or a good prompt with its words shuffled,
says nothing. So a sentence needs grammar words in a plausible order and a verb that leads it.
"""

import re
from functools import lru_cache
from itertools import pairwise

from edison.pipeline.generate.simulation.data import read_data

_WORD = re.compile(r"[A-Za-z0-9_'\u2019-]+")
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[\"'(\[A-Z0-9-])|\n+")
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)]|#{1,6})\s+|\*\*|__")

_WORDS = read_data("words")
DETERMINERS = frozenset(_WORDS["determiners"].split())
PREPOSITIONS = frozenset(_WORDS["prepositions"].split())
CONJUNCTIONS = frozenset(_WORDS["conjunctions"].split())
FUNCTION_WORDS = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | frozenset(_WORDS["others"].split())
# After a determiner or at the end of a sentence these are a sign of shuffled words.
_NEVER_AFTER_DETERMINER = (DETERMINERS - {"that"}) | PREPOSITIONS | CONJUNCTIONS | {"is", "are"}
_NEVER_LAST = (DETERMINERS - {"this", "that", "these", "those", "his", "her"}) | CONJUNCTIONS
_PREPOSITION_PAIRS = frozenset({"up to", "out of", "from within", "as of", "from under", "as in"})

LEADERS = frozenset(_WORDS["leaders"].split())
_MODAL = re.compile(
    r"\b(?:must|should|shall|need(?:s)? to|ha(?:s|ve) to|never|always|"
    r"do not|don[\u2019']t|make sure|"
    r"is to|are to|may not|can(?:no|['\u2019])t)\b"
)


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def split_sentences(text: str) -> list[str]:
    """Sentences and list items, without bullets and emphasis."""
    found = (_BULLET.sub("", part).strip() for part in _BREAK.split(text))
    return [part for part in found if part]


def _is_jumbled(words: list[str]) -> bool:
    for first, second in pairwise(words):
        if first == second:
            return True
        if first in DETERMINERS and second in _NEVER_AFTER_DETERMINER and first != "that":
            return True
        if (
            first in PREPOSITIONS
            and second in PREPOSITIONS | CONJUNCTIONS
            and f"{first} {second}" not in _PREPOSITION_PAIRS
        ):
            return True
    return words[-1] in _NEVER_LAST


@lru_cache(maxsize=8192)
def is_terse(sentence: str) -> bool:
    """ "Be friendly." and its like: few words, a verb first. It can say nothing precise."""
    words = words_of(sentence)
    return 2 <= len(words) <= 4 and words[0] in LEADERS and not _is_jumbled(words)


@lru_cache(maxsize=8192)
def is_sentence(sentence: str) -> bool:
    words = words_of(sentence)
    if is_terse(sentence):
        return True
    if len(words) < 3 or len(words) > 45:
        return False
    share = sum(word in FUNCTION_WORDS for word in words) / len(words)
    # Telegrams need fewer grammar words than long sentences do.
    least = 0.2 if len(words) <= 10 else 0.25
    if not least <= share <= 0.9:
        return False
    if len(set(words)) / len(words) < 0.5:
        return False
    return not _is_jumbled(words)


@lru_cache(maxsize=8192)
def is_instruction(sentence: str) -> bool:
    """Whether the sentence tells to do something; a description of a good answer does not."""
    if not is_sentence(sentence):
        return False
    words = words_of(sentence)
    while words and words[0] in {"please", "then", "also", "first", "finally", "next", "and"}:
        words = words[1:]
    if words and words[0] in LEADERS:
        return True
    if _MODAL.search(sentence.lower()):
        return True
    # "If the order number is missing, ask for it."
    clause = sentence.lower().rpartition(", ")[2].split()
    return (
        words[:1] in (["if"], ["when"], ["where"], ["in"], ["for"])
        and clause[:1] != []
        and (clause[0] in LEADERS)
    )
