"""Swear words by the lists of glin-profanity, except words that mostly mean something else."""

import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Literal

from edison.pipeline.score.safety.findings import SafetyFinding, without_overlaps

Language = Literal[
    "arabic", "chinese", "czech", "danish", "dutch", "english", "esperanto", "finnish", "french",
    "german", "hindi", "hungarian", "italian", "japanese", "korean", "norwegian", "persian",
    "polish", "portuguese", "russian", "spanish", "swedish", "thai", "turkish",
]  # fmt: skip


def find_profanity(
    text: str, *, languages: tuple[Language, ...], is_strict: bool, allowed: tuple[str, ...]
) -> list[SafetyFinding]:
    searching = _filter(languages, is_strict, allowed)
    result: dict[str, Any] = searching.check_profanity(text)
    # Longest first: a word that is part of another is found as well.
    spans = sorted(
        _spans(result.get("matches") or (), len(text)), key=lambda span: span[0] - span[1]
    )
    return without_overlaps(
        SafetyFinding(kind="profanity", name="a swear word", start=start, end=end)
        for start, end in spans
    )


def _spans(matches: Any, length: int) -> Iterator[tuple[int, int]]:
    for match in matches:
        start = min(match["index"], length)
        yield start, min(start + len(match["word"]), length)


@lru_cache(maxsize=32)
def _filter(languages: tuple[Language, ...], is_strict: bool, allowed: tuple[str, ...]) -> Any:
    from glin_profanity import Filter  # type: ignore[import-untyped]  # no type stubs

    ignored = [*allowed, *(() if is_strict else everyday_words())]
    return Filter({"languages": list(languages), "ignore_words": ignored})


@cache
def everyday_words() -> tuple[str, ...]:
    content = (files(__package__) / "data" / "everyday_words.toml").read_text(encoding="utf-8")
    return tuple(word for words in tomllib.loads(content).values() for word in words)
