"""Detects known jailbreak attempts by the patterns in `data/jailbreak.toml`."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.safety.findings import SafetyFinding, without_overlaps
from edison.pipeline.score.safety.fold import Folded, fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A pattern, with example texts that match and harmless texts that must not."""

    kind: str
    name: str
    is_input: bool
    pattern: Any
    examples: tuple[str, ...]
    harmless: tuple[str, ...]


@cache
def signs() -> tuple[Sign, ...]:
    import re2  # type: ignore[import-untyped]  # no type stubs

    options = re2.Options()
    options.case_sensitive = False
    content = (files(__package__) / "data" / "jailbreak.toml").read_text(encoding="utf-8")
    return tuple(
        Sign(
            kind=each["kind"],
            name=each["name"],
            is_input=each["where"] == "inputs",
            pattern=re2.compile(each["pattern"], options),
            examples=tuple(each["examples"]),
            harmless=tuple(each.get("harmless", ())),
        )
        for each in tomllib.loads(content)["sign"]
    )


def find_jailbreaks(text: str, *, is_input: bool) -> list[SafetyFinding]:
    # RE2 requires UTF-8, which cannot encode lone surrogates.
    whole = text if text.isascii() else text.encode(errors="replace").decode()
    return without_overlaps(_find(fold(whole), is_input))


def _find(folded: Folded, is_input: bool) -> Iterator[SafetyFinding]:
    for sign in signs():
        if sign.is_input is is_input:
            for match in sign.pattern.finditer(folded.text):
                start, end = folded.origin(*match.span())
                yield SafetyFinding(kind=sign.kind, name=sign.name, start=start, end=end)
