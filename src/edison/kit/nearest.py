"""Hints for mistyped names."""

from collections.abc import Iterable
from difflib import get_close_matches


def find_nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The known name that is most like the wanted one, if one is; in any case of letters."""
    lowered = {each.lower(): each for each in known}
    near = get_close_matches(wanted.lower(), lowered, n=1)
    return lowered[near[0]] if near else None


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """The nearest name as a sentence that follows another one, or nothing."""
    near = find_nearest(wanted, known)
    return "" if near is None else f" Did you mean “{near}”?"
