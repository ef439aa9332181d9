"""Recognising near copies of existing texts."""

import random

from edison.kit import ids
from edison.library.generation.lookalikes import IndexedText, NearDuplicateIndex


def known(text: str) -> IndexedText:
    return IndexedText(input_hash=text, words=frozenset(text.split()), case_id=ids.new_id())


def test_the_nearest_of_the_near_is_found() -> None:
    near, nearest = known("a b c d e f g h"), known("a b c d e f g h i")
    found = NearDuplicateIndex([near, nearest, known("x y z")], threshold=0.8).find(
        frozenset(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    )
    assert found is not None
    assert (found.case_id, found.similarity) == (nearest.case_id, 0.9)


def test_texts_below_the_threshold_do_not_match() -> None:
    lookalikes = NearDuplicateIndex([known("a b c d")], threshold=0.8)
    assert lookalikes.find(frozenset(["a", "b", "c", "x"])) is None
    assert lookalikes.find(frozenset()) is None


def test_added_texts_are_found() -> None:
    lookalikes = NearDuplicateIndex([], threshold=0.8)
    assert not lookalikes.has("a b c")
    lookalikes.add(known("a b c"))
    assert lookalikes.has("a b c")
    assert lookalikes.find(frozenset("abc")) is not None


def test_the_index_finds_the_same_as_comparing_all() -> None:
    luck = random.Random(5)  # noqa: S311 - a test's dice
    texts = [frozenset(luck.choices("abcdefghijklmnop", k=8)) for _ in range(200)]
    lookalikes = NearDuplicateIndex(
        [IndexedText(input_hash=str(n), words=words) for n, words in enumerate(texts)],
        threshold=0.7,
    )
    for words in (frozenset(luck.choices("abcdefghijklmnop", k=8)) for _ in range(100)):
        best = max(len(words & other) / len(words | other) for other in texts)
        found = lookalikes.find(words)
        assert (found.similarity if found else None) == (best if best >= 0.7 else None)
