"""Detects real sentences, and which of them are instructions. English only.

Words alone must not help a prompt: a list of keywords, or a good prompt with its words shuffled,
has no effect. So a sentence needs a verb and function words in a plausible order, and a short
command must be complete and stand among sentences, not in a list of keywords.
"""

import re
from functools import lru_cache
from itertools import pairwise

from edison.simulation.data import read_data

_PAUSE = re.compile(r"[,;:()\"\u2013\u2014]| - ")
_CAPITALISED = re.compile(r"(?<=[a-z0-9] )[A-Z][a-z]+")
_ITEMS = re.compile(r"[,;]\s+(?:and |or )?")
_WORD = re.compile(r"[A-Za-z0-9_'\u2019-]+")
_BREAK = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bno\.)\s+(?=[\"'(\[A-Za-z0-9-])|\n+"
)
_BULLET = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)]|#{1,6})\s+|\*\*|__")

_WORDS = {name: frozenset(words.split()) for name, words in read_data("words").items()}
DETERMINERS = _WORDS["determiners"]
PREPOSITIONS = _WORDS["prepositions"]
CONJUNCTIONS = _WORDS["conjunctions"]
FUNCTION_WORDS = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | _WORDS["others"]
_SUBORDINATORS = _WORDS["subordinators"]
_MODALS = _WORDS["modals"]
# After a determiner or at the end of a sentence, these indicate shuffled words.
_NEVER_AFTER_DETERMINER = (DETERMINERS - {"that"}) | PREPOSITIONS | CONJUNCTIONS | {"is", "are"}
_NEVER_AFTER_MODAL = DETERMINERS | PREPOSITIONS | CONJUNCTIONS | _SUBORDINATORS | _MODALS
_NEVER_FIRST = frozenset({"or", "nor", "than", "of", "does", "are"})
_NEVER_LAST = (
    (DETERMINERS - {"this", "that", "these", "those", "his", "her"})
    | CONJUNCTIONS
    | (PREPOSITIONS - _WORDS["particles"])
    | _SUBORDINATORS
    | _MODALS
)
_PREPOSITION_PAIRS = frozenset(
    {"up to", "out of", "from within", "as of", "from under", "as in", "over to"}
)
_ALONE_AFTER_IF = frozenset({"possible", "necessary", "needed", "any", "so", "not", "known"})

LEADERS = _WORDS["leaders"]
_ONLY_VERBS = LEADERS - _WORDS["nouns"]
_BEFORE_VERBS = (FUNCTION_WORDS - DETERMINERS - PREPOSITIONS) | _WORDS["before_verb"]
_ADVERBS = _WORDS["adverbs"]
_NO_NAMES = (LEADERS | FUNCTION_WORDS) - {"may", "will", "mark"}
_FINITE = _WORDS["verbs"] | _MODALS
_COMMANDS = frozenset((verb,) for verb in LEADERS | {"no"})
_LINKING = frozenset({"be", "stay", "keep", "remain", "sound"})
_FIRST = frozenset({"please", "then", "also", "first", "finally", "next", "and", "always"})
_MODAL = re.compile(
    r"\b(?:must|should|shall|need(?:s)? to|ha(?:s|ve) to|never|always|"
    r"do not|don[\u2019']t|make sure|"
    r"is to|are to|may not|can(?:no|['\u2019])t)\b"
)
_SHORT = 4
# Shorter commands among keywords are treated as keywords.
_NEEDS_COMPANY = 7


@lru_cache(maxsize=16384)
def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower().replace("\u2019", "'")))


def split_sentences(text: str) -> list[str]:
    """Sentences and list items, without bullets and emphasis."""
    found = (_BULLET.sub("", part).strip() for part in _BREAK.split(text))
    return [part for part in found if part]


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _clashes(first: str, second: str) -> bool:
    """Two words that never follow each other."""
    if first == second:
        return True
    if first in DETERMINERS and first != "that":
        return second in _NEVER_AFTER_DETERMINER
    if first in _MODALS:
        return second in _NEVER_AFTER_MODAL
    if second in _ONLY_VERBS:
        return not (first in _BEFORE_VERBS or first in _ADVERBS or _is_plural(first))
    return (
        first in PREPOSITIONS
        and second in PREPOSITIONS | CONJUNCTIONS
        and f"{first} {second}" not in _PREPOSITION_PAIRS
    )


def _is_jumbled(sentence: str) -> bool:
    words = words_of(sentence)
    for clause in _PAUSE.split(sentence):
        if any(_clashes(*pair) for pair in pairwise(words_of(clause))):
            return True
        # A capitalised word in mid-clause that cannot be a name.
        if any(word.lower() in _NO_NAMES for word in _CAPITALISED.findall(clause)):
            return True
    if words[0] in _NEVER_FIRST:
        return True
    if words[-2:] == ("by", "when"):
        return False
    return words[-1] in _NEVER_LAST or (
        words[-2] in _SUBORDINATORS and words[-1] not in _ALONE_AFTER_IF
    )


def _completes(verb: str, rest: tuple[str, ...]) -> bool:
    """Whether a verb and these words are a complete command: "quote the number", "be brief",
    "answer in JSON", "apologise first"; but not "quote number".
    """
    last = rest[-1]
    # Without an article, only uncountable and plural nouns are objects.
    is_object = _is_plural(last) or last in _WORDS["uncountable"]
    if verb in {"no", "avoid"}:
        return is_object
    if verb in _LINKING or last in _ADVERBS or last.endswith("ly"):
        return True
    return bool(FUNCTION_WORDS.intersection(rest)) or (is_object and len(rest) <= 2)


@lru_cache(maxsize=8192)
def is_terse(sentence: str) -> bool:
    """Short complete commands such as "Be friendly.": few words, starting with a verb."""
    words = words_of(sentence)
    if not 2 <= len(words) <= _SHORT or _is_jumbled(sentence):
        return False
    verb, *rest = _without_opening(words) or words
    if not rest or verb not in LEADERS | {"no"}:
        return False
    return _completes(verb, tuple(rest))


def is_bare(sentence: str) -> bool:
    """A command without details."""
    words = words_of(sentence)
    return is_terse(sentence) and (len(words) == 2 or not FUNCTION_WORDS.intersection(words))


def _is_catalogue(text: str) -> bool:
    """Keywords between commas."""
    items = re.split(r"[,;|/]", text)
    return len(items) > 3 and sum(len(item.split()) for item in items) / len(items) < 2.6


@lru_cache(maxsize=8192)
def is_sentence(sentence: str) -> bool:
    words = words_of(sentence)
    if is_terse(sentence):
        return True
    if not 2 < len(words) <= 45 or _is_catalogue(sentence.partition(":")[0]):
        return False
    share = sum(word in FUNCTION_WORDS for word in words) / len(words)
    # Short sentences need fewer function words than long ones.
    least = 0.2 if len(words) <= 10 else 0.25
    if not least <= share <= 0.9 or len(set(words)) / len(words) < 0.5:
        return False
    return _has_verb(sentence) and not _is_jumbled(sentence)


def _has_verb(sentence: str) -> bool:
    """A verb that starts a clause of more than a few words, or one in the third person."""
    words = words_of(sentence)
    if any(word in _FINITE or _is_third_person(word) for word in words):
        return True
    clauses = (_without_opening(words_of(clause)) for clause in _PAUSE.split(sentence))
    return len(words) > _SHORT and any(clause[:1] in _COMMANDS for clause in clauses)


def _is_third_person(word: str) -> bool:
    return word.endswith("s") and (word[:-1] in LEADERS or word[:-2] in LEADERS)


def _without_opening(words: tuple[str, ...]) -> tuple[str, ...]:
    """Removes opening words such as "Please also"."""
    start = next((i for i, word in enumerate(words) if word not in _FIRST), len(words))
    return words[start:]


@lru_cache(maxsize=8192)
def is_instruction(sentence: str) -> bool:
    """Whether the sentence asks for something; a description of a good answer does not."""
    if not is_sentence(sentence):
        return False
    words = _without_opening(words_of(sentence))
    if words[:1] in _COMMANDS:
        return True
    if _MODAL.search(sentence.lower()):
        return True
    # "If the order number is missing, ask for it."
    clause = sentence.lower().rpartition(", ")[2].split()
    return (
        words[:1] in (("if",), ("when",), ("where",), ("in",), ("for",))
        and clause[:1] != []
        and (clause[0] in LEADERS)
    )


def meant_sentences(text: str) -> list[str]:
    """The real sentences of a prompt."""
    return _in_company(split_sentences(text))


@lru_cache(maxsize=8192)
def after_colon(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence after a colon; a list is split into its items."""
    tail = sentence.partition(": ")[2]
    items = [item for item in _ITEMS.split(tail) if item]
    return tuple(_in_company(items if len(items) > 2 else [tail]))


def _in_company(sentences: list[str]) -> list[str]:
    """A short command counts only if at least half of its neighbours, two on either side, are
    sentences too: in a list of keywords it is a coincidence.
    """
    whole = [is_sentence(one) for one in sentences]
    meant = []
    for index, sentence in enumerate(sentences):
        around = whole[max(0, index - 2) : index] + whole[index + 1 : index + 3]
        is_short = len(words_of(sentence)) < _NEEDS_COMPANY
        if whole[index] and (not is_short or 2 * sum(around) >= len(around)):
            meant.append(sentence)
    return meant
