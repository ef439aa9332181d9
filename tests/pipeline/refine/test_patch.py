"""Diffs are applied exactly or not at all, with the reason."""

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.refine.diff import DiffProblem, LineKind, make_diff, parse_diff
from edison.pipeline.refine.patch import Patched, apply_diff
from tests.support.thorough import rounds

PROMPT = "You are an agent.\nReply to the customer.\n\nCustomer message:\n{{message}}"

# Text that resembles parts of a diff, and line breaks of all kinds.
TEXTS = st.lists(
    st.sampled_from(
        ("a", "b", "", " ", "-- x", "++ y", "@@ -1 +1 @@", "\\ No newline at end of file", "\u2028")
    ),
    max_size=9,
).flatmap(
    lambda lines: st.tuples(st.sampled_from(("\n", "\r\n")), st.booleans()).map(
        lambda way: way[0].join(lines) + (way[0] if way[1] else "")
    )
)


def patched(text: str, diff: str) -> Patched:
    result = apply_diff(text, diff)
    assert isinstance(result, Patched), result
    return result


def problem(text: str, diff: str) -> DiffProblem:
    result = apply_diff(text, diff)
    assert isinstance(result, DiffProblem), result
    return result


@settings(max_examples=rounds(80, thorough=3_000), deadline=None)
@given(TEXTS, TEXTS)
def test_a_generated_diff_round_trips(before: str, after: str) -> None:
    assert patched(before, make_diff(before, after)) == Patched(text=after)


@settings(max_examples=rounds(80, thorough=3_000), deadline=None)
@given(
    TEXTS, TEXTS, st.lists(st.tuples(st.integers(0, 12), st.sampled_from(" -+@\\x")), max_size=4)
)
def test_a_diff_that_was_tampered_with_is_applied_to_the_letter_or_refused(
    before: str, after: str, damages: list[tuple[int, str]]
) -> None:
    lines = make_diff(before, after).split("\n")
    for at, sign in damages:
        lines[at % len(lines)] = sign + lines[at % len(lines)][1:]
    diff = "\n".join(lines)
    result, hunks = apply_diff(before, diff), parse_diff(diff)
    if isinstance(result, DiffProblem):
        assert result.message.endswith((".", "”"))
    elif not isinstance(hunks, DiffProblem):
        added = [line.text for hunk in hunks for line in hunk.lines if line.kind is LineKind.ADDED]
        plain = result.text.replace("\r", "").split("\n")
        assert all(line.replace("\r", "") in plain for line in added)


@settings(max_examples=rounds(60, thorough=3_000), deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_pythons_own_diffs_apply_with_any_context(old: list[str], new: list[str]) -> None:
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    for context in range(4):
        diff = difflib.unified_diff(old, new, "a", "b", n=context, lineterm="")
        assert patched(before, "\n".join(diff)).text == after


def test_an_edit_in_the_middle() -> None:
    diff = """--- a/prompt.txt
+++ b/prompt.txt
@@ -1,4 +1,5 @@
 You are an agent.
-Reply to the customer.
+Reply to the customer by name.
+State one next step.

 Customer message:
"""
    assert patched(PROMPT, diff) == Patched(
        text="You are an agent.\nReply to the customer by name.\nState one next step.\n\n"
        "Customer message:\n{{message}}"
    )


def test_an_empty_diff_changes_nothing() -> None:
    assert patched(PROMPT, "\n \n") == Patched(text=PROMPT)
    assert make_diff(PROMPT, PROMPT) == ""


def test_a_wrong_line_number_is_forgiven_where_the_lines_occur_once() -> None:
    diff = "@@ -91,2 +91,3 @@\n Reply to the customer.\n+Be brief.\n \n"
    assert patched(PROMPT, diff) == Patched(
        text=PROMPT.replace("customer.\n", "customer.\nBe brief.\n"),
        remarks=("Hunk 1 belongs to line 2, not to line 91.",),
    )


def test_a_wrong_line_number_is_not_forgiven_where_they_occur_twice() -> None:
    found = problem("a\nb\na\nb\nc", "@@ -9,2 +9,2 @@\n a\n-b\n+B\n")
    assert found == DiffProblem(
        message="The lines of hunk 1 occur in 2 places (lines 1, 3), and its header does not tell "
        "which: give it more context.",
        hunk=1,
    )


def test_a_correct_line_number_selects_between_two_matches() -> None:
    assert patched("a\nb\na\nb\nc", "@@ -3,2 +3,2 @@\n a\n-b\n+B\n").text == "a\nb\na\nB\nc"


def test_wrong_counts_are_forgiven_where_the_lines_occur_once() -> None:
    diff = "@@ -1,9 +1,9 @@\n You are an agent.\n-Reply to the customer.\n+Help.\n\n"
    assert patched(PROMPT, diff) == Patched(
        text=PROMPT.replace("Reply to the customer.", "Help."),
        remarks=("Hunk 1 has other numbers of lines than its header says.",),
    )
    found = problem("a\na", "@@ -1,7 +1,7 @@\n-a\n+b\n")
    assert found.message.startswith("The lines of hunk 1 occur in 2 places")


def test_headers_without_numbers_are_forgiven_where_the_lines_occur_once() -> None:
    diff = "@@\n-Reply to the customer.\n+Help.\n@@ … @@\n-{{message}}\n+<{{message}}>\n"
    assert patched(PROMPT, diff) == Patched(
        text="You are an agent.\nHelp.\n\nCustomer message:\n<{{message}}>",
        remarks=(
            "Hunk 1 has no line numbers; it belongs to line 2.",
            "Hunk 2 has no line numbers; it belongs to line 5.",
        ),
    )
    assert problem("a\na", "@@\n-a\n+b\n").message.startswith("The lines of hunk 1 occur in 2")


def test_context_that_differs_by_a_letter_is_refused() -> None:
    diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n You are an Agent.\n-Reply to the customer.\n+Help.\n"
    assert problem(PROMPT, diff) == DiffProblem(
        message="Hunk 1, line 4 of the diff: it expects “You are an Agent.”, but line 1 of the "
        "prompt is “You are an agent.”.",
        hunk=1,
        line=4,
    )


def test_a_removed_line_that_is_not_there_is_named() -> None:
    diff = "@@ -1,2 +1,1 @@\n You are an agent.\n-Answer quickly.\n"
    assert problem(PROMPT, diff).message == (
        "Hunk 1, line 3 of the diff: it removes “Answer quickly.”, but line 2 of the prompt is "
        "“Reply to the customer.”."
    )


def test_a_hunk_that_reaches_beyond_the_end_is_refused() -> None:
    diff = "@@ -5,2 +5,2 @@\n {{message}}\n-Thanks.\n+Thank you.\n"
    assert problem(PROMPT, diff).message == (
        "Hunk 1, line 3 of the diff: the prompt ends before “Thanks.”."
    )


def test_the_second_of_two_hunks_is_named() -> None:
    diff = "@@ -1 +1 @@\n-You are an agent.\n+You help.\n@@ -4 +4 @@\n-Message:\n+Text:\n"
    found = problem(PROMPT, diff)
    assert (found.hunk, found.line) == (2, 5)


def test_hunks_must_not_overlap_or_swap() -> None:
    diff = "@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n"
    assert problem("a\nb\nc", diff).message == (
        "Hunk 2 stands before or overlaps the one above it."
    )


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        ("Just do it better.", "The diff has no hunk: none of its lines begins with “@@”."),
        (
            "@@ … @@\n+Be brief.\n",
            "Hunk 1 only adds lines and has no context, so it is unclear where they belong.",
        ),
        (
            "@@ -1,2 +1,2 @@\n-You are an agent.\n+You help.\nReply to the customer.\n",
            "Hunk 1, line 4 of the diff: it begins with neither a blank nor “-” nor “+”: “Reply "
            "to the customer.”.",
        ),
        ("@@ -1,2 +1,2 @@\n", "Hunk 1, line 1 of the diff: the hunk is empty."),
        (
            "@@ -7,0 +8 @@\n+Be brief.\n",
            "Hunk 1 only adds lines and has no context, so it is unclear where they belong.",
        ),
        (
            "@@ -5 +5 @@\n-{{message}}\n+{{message}}\n\\ No newline at end of file\n+Thanks.\n",
            "Hunk 1, line 3 of the diff: no line break is said to follow it, but the prompt goes "
            "on.",
        ),
    ],
)
def test_invalid_diffs_are_refused_with_the_reason(diff: str, message: str) -> None:
    assert problem(PROMPT, diff).message == message


def test_a_diff_of_two_files_is_refused() -> None:
    one = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-You are an agent.\n+You help.\n"
    assert problem(PROMPT, one * 2).message == "The diff changes more than one file."


def test_a_missing_final_newline_is_kept_unless_the_diff_changes_it() -> None:
    assert patched("a\nb", "@@ -2 +2,2 @@\n b\n+c\n").text == "a\nb\nc"
    marked = "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n"
    assert patched("a\nb", marked).text == "a\nb\n"
    assert problem("a\nb\n", marked).message == (
        "Hunk 1, line 2 of the diff: no line break is said to follow it, but one does."
    )


def test_windows_line_breaks_are_kept_on_either_side() -> None:
    text = PROMPT.replace("\n", "\r\n")
    plain = "@@ -1,2 +1,3 @@\n You are an agent.\n+Be brief.\n Reply to the customer.\n"
    revised = PROMPT.replace("agent.\n", "agent.\nBe brief.\n")
    assert patched(text, plain).text == revised.replace("\n", "\r\n")
    assert patched(PROMPT, plain.replace("\n", "\r\n")).text == revised


def test_lines_match_as_displayed_and_keep_hidden_characters() -> None:
    text, shown = "Be\u200bkind.\nReply.", "Be[U+200B]kind.\nReply."
    diff = "@@ -1,2 +1,2 @@\n Be[U+200B]kind.\n-Reply.\n+Answer.\n"
    assert apply_diff(text, diff, shown=shown) == Patched(text="Be\u200bkind.\nAnswer.")
    assert isinstance(apply_diff(text, diff), DiffProblem)


def test_hunks_are_read_with_their_places() -> None:
    hunks = parse_diff("@@ -2,2 +2,2 @@ You are\n \n-a\n+b\n")
    assert not isinstance(hunks, DiffProblem)
    (hunk,) = hunks
    assert (hunk.number, hunk.start, hunk.is_miscounted) == (1, 2, False)
    assert [line.number for line in hunk.lines] == [2, 3, 4]
