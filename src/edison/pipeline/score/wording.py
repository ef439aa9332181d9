"""How texts are compared and quoted by scorers that look for words."""

from edison.pipeline.score.scorer import Flag, NotApplicable

# Of texts whose comparison takes longer than their length: these take about a tenth of a second.
LONGEST_TEXT = 50_000

_QUOTED_CHARACTERS = 80


def check_length(*texts: str) -> None:
    """Raises NotApplicable when comparing the texts would hold everybody up."""
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise NotApplicable(Flag.TOO_LONG, "A text is too long to be compared.")


def folded(text: str, *, is_case_sensitive: bool) -> str:
    """Without the white space around it and, if case does not count, without case."""
    return text.strip() if is_case_sensitive else text.strip().casefold()


def quoted(text: str) -> str:
    """For a rationale: short, and on one line."""
    line = " ".join(text.split())
    short = line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
    return f"“{short}”"
