"""Scorers that compare with the expected answer, against published examples and by hand."""

from math import exp

import pytest

from edison.pipeline.score.scorer import Flag
from tests.pipeline.score.scoring import score, value

HOURS = "We are open Monday-Friday 9am-5pm PT"


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        (HOURS, 1.0),
        (f"Our business hours are: {HOURS}. Thank you!", 0.95),
        # The specification's example says 0.135, having counted 14 words in both texts; they have
        # 15, so its own formula gives 0.3 * 1/15 + 0.7 * 1/6.
        ("We operate Monday through Friday, 9am to 5pm Pacific Time", 0.137),
        ("We are open Monday-Friday from 9am to 5pm Pacific Time", 0.567),
    ],
)
async def test_word_overlap_as_specified(answer: str, given: float) -> None:
    assert round(await value("word_overlap", answer, HOURS) or 0, 3) == given


@pytest.mark.parametrize(
    ("answer", "expected", "given"),
    [
        ("  OPEN now ", "open NOW", 1.0),
        ("open", "open now", 0.3 * 1 / 2 + 0.7 * 1 / 2),
        ("red red red", "red blue", 0.3 * 1 / 2 + 0.7 * 1 / 2),
        ("nothing", "in common", 0.0),
        ("", "open", 0.0),
        ("open", " ", 0.0),
    ],
)
async def test_word_overlap(answer: str, expected: str, given: float) -> None:
    assert await value("word_overlap", answer, expected) == pytest.approx(given)


@pytest.mark.parametrize(
    ("answer", "expected", "distance", "longer"),
    [
        ("sitting", "kitten", 3, 7),
        ("Sunday", "Saturday", 3, 8),
        ("intention", "execution", 5, 9),
        ("same", "same ", 0, 4),
        ("", "abc", 3, 3),
        ("naïve", "naive", 1, 5),
    ],
)
async def test_levenshtein(answer: str, expected: str, distance: int, longer: int) -> None:
    scored = await score("levenshtein", answer, expected)
    assert scored.value == pytest.approx(1 - distance / longer)
    assert scored.raw == str(distance)


async def test_levenshtein_of_nothing_and_of_case() -> None:
    assert await value("levenshtein", "", " ") == 1
    assert await value("levenshtein", "ABC", "abc", is_case_sensitive=False) == 1
    assert await value("levenshtein", "ABC", "abc") == 0


@pytest.mark.parametrize(
    ("answer", "expected", "given"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 1.0),
        # 5/5, 3/4, 2/3 and 1/2 of the n-grams; five words where six are expected.
        ("the cat sat on mat", "the cat sat on the mat", exp(1 - 6 / 5) * (1 / 4) ** (1 / 4)),
        # Papineni et al. (2002): clipped to 2 of 7; longer n-grams are smoothed.
        (
            "the the the the the the the",
            "the cat is on the mat",
            (2 / 7 * 1 / (2 * 6) * 1 / (4 * 5) * 1 / (8 * 4)) ** (1 / 4),
        ),
        # Punctuation counts as words: 3/4, 1/3, then 0/2 and 0/1, which are smoothed.
        ("Hello, world!", "Hello world!", (3 / 4 * 1 / 3 * 1 / (2 * 2) * 1 / (4 * 1)) ** (1 / 4)),
        # One word has no pairs: only single words count.
        ("yes", "yes", 1.0),
        ("no", "yes", 0.0),
        ("Yes", "yes", 0.0),
        ("", "yes", 0.0),
        ("yes", "", 0.0),
    ],
)
async def test_bleu_by_hand(answer: str, expected: str, given: float) -> None:
    assert await value("bleu", answer, expected) == pytest.approx(given, abs=1e-9)


@pytest.mark.parametrize(
    ("answer", "expected", "precision", "recall"),
    [
        # The reference implementation's own example.
        (
            "The quick brown dog jumps on the log.",
            "The quick brown fox jumps over the lazy dog",
            5 / 8,
            5 / 9,
        ),
        # Lin (2004), section 3.2.
        ("police kill the gunman", "police killed the gunman", 3 / 4, 3 / 4),
        ("the gunman kill police", "police killed the gunman", 2 / 4, 2 / 4),
        ("testing", "testing one two", 1 / 1, 1 / 3),
        ("A_b, C!", "a b c", 3 / 3, 3 / 3),
        ("今日は雨", "今日は晴れ", 3 / 4, 3 / 5),
        ("Größe zählt", "größe ZÄHLT nicht", 2 / 2, 2 / 3),
    ],
)
async def test_rouge_l(answer: str, expected: str, precision: float, recall: float) -> None:
    given = 2 * precision * recall / (precision + recall)
    assert await value("rouge_l", answer, expected) == pytest.approx(given)


@pytest.mark.parametrize(("answer", "expected"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
async def test_rouge_l_of_nothing_in_common(answer: str, expected: str) -> None:
    assert await value("rouge_l", answer, expected) == 0


@pytest.mark.parametrize("kind", ["levenshtein", "bleu", "rouge_l"])
async def test_texts_that_take_too_long_are_not_compared(kind: str) -> None:
    assert (await score(kind, "a b " * 12_500, "a b")).flag is None
    assert (await score(kind, "a b " * 12_500 + "c", "a b")).flag is Flag.TOO_LONG
    assert (await score(kind, "a b", "c" * 50_001)).flag is Flag.TOO_LONG
