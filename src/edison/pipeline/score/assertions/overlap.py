"""Assertions about the overlap with a reference: rouge-n, bleu, gleu, meteor.

They differ from Edison's own scorers: words are split at white space, n-grams that a short answer
cannot have are left out, and orders without a match count as 1e-7.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from edison.pipeline.score.assertions.model import (
    AssertionVerdict,
    Check,
    Handler,
    computed,
    require,
)
from edison.pipeline.score.assertions.stems import stem
from edison.pipeline.score.assertions.treebank import treebank_tokens

_LONGEST_ORDER = 4
_SMOOTHED = 1e-7
_ROUGE_THRESHOLD = 0.75
_THRESHOLD = 0.5
# METEOR compares each word with each.
_MOST_WORDS = 2_000

Matches = list[tuple[int, int]]
Words = list[tuple[int, str]]


def _references(check: Check) -> list[str]:
    value = check.value
    texts = [value] if isinstance(value, str) else value
    is_usable = isinstance(texts, list) and all(isinstance(each, str) for each in texts)
    require(is_usable, "The value must be a text or a list of texts.")
    return list(texts)


def _n_grams(words: Sequence[str], order: int) -> list[str]:
    return [" ".join(words[at : at + order]) for at in range(len(words) - order + 1)]


def _overlap(one: Iterable[str], other: Iterable[str]) -> int:
    return (Counter(one) & Counter(other)).total()


def _rouge(check: Check) -> AssertionVerdict:
    """ROUGE-1: F1 of the words that both have, by the rules of the Penn Treebank."""
    require(isinstance(check.value, str), "The value must be a text.")
    candidate = treebank_tokens(check.text.lower())
    reference = treebank_tokens(check.value.lower())
    common = _overlap(candidate, reference)
    score = 2 * common / (len(candidate) + len(reference)) if common else 0.0
    return check.measure(score, _ROUGE_THRESHOLD, "ROUGE-N")


def _words(text: str) -> list[str]:
    return re.split(r"\s+", text.lower().strip())


def bleu(candidate: str, references: Sequence[str]) -> float:
    if not candidate.strip():
        return 0.0
    words = _words(candidate)
    known = [_words(reference) for reference in references]
    precisions = []
    for order in range(1, _LONGEST_ORDER + 1):
        grams = _n_grams(words, order)
        if grams:
            best = max(_overlap(grams, _n_grams(each, order)) for each in known)
            precisions.append(best / len(grams) or _SMOOTHED)
    closest = min((abs(len(each) - len(words)), len(each)) for each in known)[1]
    penalty = 1.0 if len(words) > closest else math.exp(1 - closest / len(words))
    return penalty * math.exp(sum(map(math.log, precisions)) / len(precisions))


def _bleu(check: Check) -> AssertionVerdict:
    references = _references(check)
    require(references, "The value must not be an empty list.")
    return check.measure(bleu(check.text, references), _THRESHOLD, "BLEU")


def _gleu_words(text: str) -> list[str]:
    words = [word.rstrip(".") for word in _words(text)]
    return words if any(words) else []


def gleu(candidate: str, reference: str) -> float:
    ours, theirs = _gleu_words(candidate), _gleu_words(reference)
    if not ours:
        return 0.0
    if ours == theirs:
        return 1.0
    matched = most = 0
    for order in range(1, _LONGEST_ORDER + 1):
        matched += _overlap(_n_grams(ours, order), _n_grams(theirs, order))
    most = max(_count_grams(ours), _count_grams(theirs))
    return matched / most if most else 0.0


def _count_grams(words: Sequence[str]) -> int:
    return sum(max(0, len(words) - order + 1) for order in range(1, _LONGEST_ORDER + 1))


def _gleu(check: Check) -> AssertionVerdict:
    references = _references(check)
    require(references, "The value must not be an empty list.")
    score = max(gleu(check.text, reference) for reference in references)
    return check.measure(score, _THRESHOLD, "GLEU")


def _matched(candidate: Words, reference: Words) -> tuple[Matches, Words, Words]:
    """Pairs of equal words, from the end, and the words that are left."""
    matches: Matches = []
    ours, theirs = [], list(reference)
    for position, word in reversed(candidate):
        at = next((at for at in range(len(theirs) - 1, -1, -1) if theirs[at][1] == word), None)
        if at is None:
            ours.append((position, word))
        else:
            matches.append((position, theirs.pop(at)[0]))
    return matches, ours[::-1], theirs


def _stemmed(words: Words) -> Words:
    return [(position, stem(word)) for position, word in words]


def meteor(candidate: str, reference: str, settings: Mapping[str, Any]) -> float:
    ours, theirs = (
        [(at, word.rstrip(".").lower()) for at, word in enumerate(re.split(r"\s+", text))]
        for text in (candidate, reference)
    )
    matches, left, wanted = _matched(ours, theirs)
    stems, left, wanted = _matched(_stemmed(left), _stemmed(wanted))
    found = sorted(matches + stems)
    if not found:
        return 0.0
    alpha, beta, gamma = (
        settings.get(name, default)
        for name, default in (("alpha", 0.9), ("beta", 3.0), ("gamma", 0.5))
    )
    precision, recall = len(found) / len(ours), len(found) / len(theirs)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return float((1 - gamma * (_count_chunks(found) / len(found)) ** beta) * mean)


def _count_chunks(matches: Matches) -> int:
    return 1 + sum(two != (one[0] + 1, one[1] + 1) for one, two in pairwise(matches))


def _meteor(check: Check) -> AssertionVerdict:
    references = _references(check)
    require(check.text and references, "The answer and the value must not be empty.")
    texts = [check.text, *references]
    require(max(len(each.split()) for each in texts) <= _MOST_WORDS, "The texts are too long.")
    score = max(meteor(check.text, each, check.assertion.settings) for each in references)
    return check.measure(score, _THRESHOLD, "METEOR")


HANDLERS: Mapping[str, Handler] = {
    "rouge-n": computed(_rouge),
    "bleu": computed(_bleu),
    "gleu": computed(_gleu),
    "meteor": computed(_meteor),
}
