"""Differences between two texts."""

import difflib

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from edison.library.prompts.diff import MOST_MATCHED_LINES, DiffRow, TextDiff, compare

texts = st.lists(st.sampled_from(["a", "b", "c", "", "d e"]), max_size=40).map("\n".join)


def difference(left: str, right: str) -> TextDiff:
    return compare(left, right, left_title="v1", right_title="v2")


def test_a_changed_line_shows_in_both_views() -> None:
    found = difference("Be kind.\nAnswer.", "Be brief.\nAnswer.\nSign it.")
    assert found.unified == snapshot("""\
--- v1
+++ v2
@@ -1,2 +1,3 @@
-Be kind.
+Be brief.
 Answer.
+Sign it.
""")
    assert found.rows == [
        DiffRow(kind="changed", left_number=1, left="Be kind.", right_number=1, right="Be brief."),
        DiffRow(kind="same", left_number=2, left="Answer.", right_number=2, right="Answer."),
        DiffRow(kind="added", left_number=None, left=None, right_number=3, right="Sign it."),
    ]
    assert (found.added, found.removed) == (2, 1)


def test_equal_texts_have_no_unified_diff() -> None:
    found = difference("a\nb", "a\nb")
    assert (found.unified, found.added, found.removed) == ("", 0, 0)
    assert [row.kind for row in found.rows] == ["same", "same"]


def test_an_empty_text_has_no_lines() -> None:
    assert [row.kind for row in difference("", "a\nb").rows] == ["added", "added"]


def test_a_line_break_at_the_end_is_a_change() -> None:
    assert [row.kind for row in difference("a", "a\n").rows] == ["same", "added"]


@given(left=texts, right=texts)
def test_the_unified_diff_equals_that_of_difflib(left: str, right: str) -> None:
    lines = [text.split("\n") if text else [] for text in (left, right)]
    expected = difflib.unified_diff(*lines, "v1", "v2", lineterm="")
    assert difference(left, right).unified.splitlines() == list(expected)


@given(left=texts, right=texts)
def test_the_rows_hold_both_texts_completely(left: str, right: str) -> None:
    rows = difference(left, right).rows
    assert "\n".join(row.left for row in rows if row.left is not None) == left
    assert "\n".join(row.right for row in rows if row.right is not None) == right
    numbers = [row.right_number for row in rows if row.right_number is not None]
    assert numbers == list(range(1, len(numbers) + 1))


def test_texts_of_very_many_lines_are_compared_as_one_block() -> None:
    half = MOST_MATCHED_LINES // 2
    pairs = [(f"u{number}\nx{number}", f"u{number}\ny{number}") for number in range(half + 10)]
    left = "\n".join(["head", *(pair[0] for pair in pairs), "tail"])
    right = "\n".join(["head", *(pair[1] for pair in pairs), "tail"])
    kinds = [row.kind for row in difference(left, right).rows]
    assert kinds == ["same", "same", *["changed"] * (2 * half + 19), "same"]
