"""Hints for mistyped names."""

from collections.abc import Iterable

# From 0 to 100: how much of both names is the same.
LEAST_RATIO = 60


def find_nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The known name that is most like the wanted one, if one is; in any case of letters."""
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extractOne

    near = extractOne(
        wanted, list(known), scorer=ratio, processor=str.lower, score_cutoff=LEAST_RATIO
    )
    return near and near[0]


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """The nearest name as a sentence that follows another one, or nothing."""
    near = find_nearest(wanted, known)
    return "" if near is None else f" Did you mean “{near}”?"
