"""Comparison and quotation of texts for scorers that search for words."""

from edison.pipeline.score.scorer import Flag, NotApplicable

# Limit for comparisons that take more than linear time: about a tenth of a second at this length.
LONGEST_TEXT = 50_000

_QUOTED_CHARACTERS = 80


def check_length(*texts: str) -> None:
    """Raises NotApplicable when comparing the texts would block the event loop."""
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise NotApplicable(Flag.TOO_LONG, "A text is too long to be compared.")


def folded(text: str, *, is_case_sensitive: bool) -> str:
    """Strips white space and, if not case sensitive, folds case."""
    return text.strip() if is_case_sensitive else text.strip().casefold()


def quoted(text: str) -> str:
    """For a rationale: shortened, on one line."""
    line = " ".join(text.split())
    short = line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
    return f"“{short}”"
