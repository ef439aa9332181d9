"""Near duplicates: the same groups as by comparing all pairs."""

import random
from itertools import pairwise

import pytest

from edison.library.datasets.duplicates import group_near, words_of
from edison.library.datasets.fingerprints import normalise


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def join_slowly(texts: list[tuple[int, frozenset[str]]], threshold: float) -> set[int]:
    """Reference implementation that compares each text with the first of every group."""
    firsts: list[frozenset[str]] = []
    joined = set()
    for key, words in texts:
        if any(jaccard(words, first) >= threshold for first in firsts):
            joined.add(key)
        else:
            firsts.append(words)
    return joined


@pytest.mark.parametrize("threshold", [0.5, 0.7, 0.8, 1.0])
def test_all_near_duplicates_are_found(threshold: float) -> None:
    chance = random.Random(7)  # noqa: S311 - a fixed sequence
    vocabulary = [f"w{number}" for number in range(60)]
    texts = [
        (number, frozenset(chance.sample(vocabulary, chance.randint(1, 12))))
        for number in range(300)
    ]
    words = dict(texts)
    groups = group_near(texts, threshold=threshold)
    assert {key for group in groups for key, _ in group.others} == join_slowly(texts, threshold)
    for group in groups:
        for key, similarity in group.others:
            assert similarity == jaccard(words[group.first], words[key]) >= threshold


def test_the_similarity_is_the_share_of_words_in_common() -> None:
    texts = [("a", words_of("one two three four")), ("b", words_of("one two three four five"))]
    (group,) = group_near(texts, threshold=0.8)
    assert (group.first, group.others) == ("a", [("b", 0.8)])


def test_thousands_of_near_copies_are_one_group() -> None:
    common = "please tell me where the order with this number is right now"
    texts = [(number, words_of(f"{common} {number}")) for number in range(5_000)]
    (group,) = group_near(texts, threshold=0.8)
    assert (group.first, len(group.others)) == (0, 4_999)
    assert all(earlier < later for (earlier, _), (later, _) in pairwise(group.others))


def test_texts_without_words_are_not_compared() -> None:
    assert group_near([("a", words_of("?!")), ("b", words_of("..."))]) == []


def test_scripts_without_spaces_are_compared_by_character() -> None:
    assert words_of(normalise("東京 Hello")) == {"東", "京", "hello"}
