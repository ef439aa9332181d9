"""API keys and tokens in a text, by the patterns in `data/secrets.toml`."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretShape:
    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str


@cache
def secret_shapes() -> tuple[SecretShape, ...]:
    content = (files(__package__) / "data" / "secrets.toml").read_text(encoding="utf-8")
    return tuple(
        SecretShape(
            name=each["name"],
            hints=tuple(each["hints"]),
            # Not inside a longer word, which is an identifier.
            pattern=re.compile(_outside_of_words(each["pattern"])),
            example=each["example"],
        )
        for each in tomllib.loads(content)["secret"]
    )


def _outside_of_words(pattern: str) -> str:
    flags, rest = ("(?i)", pattern[4:]) if pattern.startswith("(?i)") else ("", pattern)
    return rf"{flags}(?<![A-Za-z0-9])(?:{rest})"


def find_secrets(text: str) -> Iterator[tuple[int, int]]:
    lowered = text.lower()
    for shape in secret_shapes():
        if not any(hint in lowered for hint in shape.hints):
            continue
        for match in shape.pattern.finditer(text):
            yield match.span()
