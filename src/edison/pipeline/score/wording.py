"""Comparison and quotation of texts for scorers that search for words."""

_QUOTED_CHARACTERS = 80


def folded(text: str, *, is_case_sensitive: bool) -> str:
    """Strips white space and, if not case sensitive, folds case."""
    return text.strip() if is_case_sensitive else text.strip().casefold()


def quoted(text: str) -> str:
    """For a rationale: shortened, on one line."""
    line = " ".join(text.split())
    short = line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
    return f"“{short}”"
