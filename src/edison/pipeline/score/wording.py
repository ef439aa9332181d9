"""How texts are compared and quoted by scorers that look for words."""

_QUOTED_CHARACTERS = 80


def folded(text: str, *, is_case_sensitive: bool) -> str:
    """Without the white space around it and, if case does not count, without case."""
    return text.strip() if is_case_sensitive else text.strip().casefold()


def quoted(text: str) -> str:
    """For a rationale: short, and on one line."""
    line = " ".join(text.split())
    short = line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
    return f"“{short}”"
