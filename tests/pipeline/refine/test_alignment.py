"""The common subsequence of two sequences is as long as possible, also for long ones."""

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.refine.alignment import Block, common_length, differing_blocks
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import make_diff
from edison.pipeline.refine.guard import check_all
from edison.pipeline.refine.patch import Patched, apply_diff
from tests.support.thorough import rounds

SEQUENCES = st.lists(st.sampled_from("abc"), max_size=8)


def longest(old: list[str], new: list[str]) -> int:
    """By exhaustive search."""
    for length in range(min(len(old), len(new)), 0, -1):
        if set(combinations(old, length)) & set(combinations(new, length)):
            return length
    return 0


@settings(max_examples=rounds(60, thorough=3_000), deadline=None)
@given(SEQUENCES, SEQUENCES)
def test_blocks_are_a_minimal_difference(old: list[str], new: list[str]) -> None:
    blocks = differing_blocks(old, new)
    result, position = [], 0
    for block in blocks:
        result += old[position : block.start] + new[block.new_start : block.new_end]
        position = block.end
    assert result + old[position:] == new
    removed = sum(block.end - block.start for block in blocks)
    assert len(old) - removed == common_length(old, new) == longest(old, new)


def test_equal_ends_are_never_part_of_a_block() -> None:
    assert differing_blocks(list("xxayy"), list("xxbcyy")) == [
        Block(start=2, end=3, new_start=2, new_end=4)
    ]
    assert differing_blocks(list("ab"), list("ab")) == []


def test_long_texts_of_few_kinds_of_lines_are_compared_too() -> None:
    """Many lines of few kinds are the worst case of Python's difflib."""
    random = np.random.default_rng(1)
    old, new = ("\n".join(random.choice(list("abcde"), 5_000)) for _ in range(2))
    assert [violation.rail for violation in check_all(Change(before=old, after=new))] == [
        "lines_changed",
        "removed_lines",
    ]
    assert apply_diff(old, make_diff(old, new)) == Patched(text=new)


def test_texts_too_long_to_compare_differ_as_one_block() -> None:
    old, new = [str(n) for n in range(11_000)], [str(n) for n in range(1, 11_000)]
    assert differing_blocks(["x", *old], ["y", *new, "z"]) == [
        Block(start=0, end=11_001, new_start=0, new_end=11_001)
    ]
