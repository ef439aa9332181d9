"""Values of other tools' records as parts of a case."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from edison.library.datasets import service as datasets

INPUT = "input"
MESSAGES = "messages"
_HIGHEST_DIFFICULTY = 5


def inputs_of(value: Any) -> dict[str, Any]:
    """An object is a value per variable; a chat is the variable `messages`, anything else
    `input`.
    """
    if value is None or value in ("", {}, []):
        return {}
    if not isinstance(value, dict):
        return {MESSAGES if is_chat(value) else INPUT: value}
    found: dict[str, Any] = {}
    for name, each in value.items():
        plain = datasets.variable_name(str(name))
        free, number = plain, 2
        while free in found:
            free, number = f"{plain}_{number}", number + 1
        found[free] = each
    return found


def is_chat(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(each, dict) and "role" in each for each in value)
    )


def expected_of(value: Any) -> str | None:
    """The text of an answer: of an object with one text, of the last message of a chat."""
    found = _answer_in(value)
    if found is None or found in ("", {}, []):
        return None
    return found if isinstance(found, str) else json_text(found)


def _answer_in(value: Any) -> Any:
    if isinstance(value, dict) and is_chat(value.get(MESSAGES)):
        value = value[MESSAGES]
    if is_chat(value):
        value = value[-1]
    if isinstance(value, dict) and set(value) >= {"role", "content"}:
        return value["content"]
    if isinstance(value, dict | list) and len(value) == 1:
        (only,) = value.values() if isinstance(value, dict) else value
        return only if isinstance(only, str) else value
    return value


def json_text(value: Any) -> str:
    return orjson.dumps(value, default=str).decode()


def labels_of(metadata: Mapping[str, Any]) -> tuple[list[str], int | None, dict[str, Any]]:
    """Tags, difficulty, and what fits neither."""
    tags: list[str] = []
    difficulty: int | None = None
    rest: dict[str, Any] = {}
    for name, value in metadata.items():
        if name.lower() == "difficulty" and value in range(1, _HIGHEST_DIFFICULTY + 1):
            difficulty = int(value)
            continue
        listed = value if isinstance(value, list) else [value]
        named = [_tag(name, each) for each in listed]
        if all(named) and len(tags) + len(named) <= datasets.MOST_TAGS:
            tags += [each for each in named if each]
        elif value not in (None, "", [], {}):
            rest[name] = value
    return tags, difficulty, rest


def _tag(name: str, value: Any) -> str | None:
    if isinstance(value, dict | list) or value is None:
        return None
    text = value if isinstance(value, str) else json_text(value)
    tag = f"{name}: {' '.join(text.split())}"
    return tag if datasets.is_tag(tag) and len(tag) <= datasets.LONGEST_TAG else None


def good_tags(given: Iterable[Any]) -> tuple[list[str], list[str]]:
    """Those that can be tags, and those that cannot."""
    texts = [re.sub(r"\s+", " ", str(each)).strip() for each in given if each not in (None, "")]
    good = [each for each in texts if datasets.is_tag(each) and len(each) <= datasets.LONGEST_TAG]
    kept = list(dict.fromkeys(good))[: datasets.MOST_TAGS]
    return kept, [each for each in texts if each not in kept]


def notes_of(texts: Iterable[str], rest: Mapping[str, Any]) -> str | None:
    """One text, shortened to what notes may hold."""
    lines = [each.strip() for each in texts if each and each.strip()]
    lines += [f"{name}: {each if isinstance(each, str) else json_text(each)}"
              for name, each in rest.items()]  # fmt: skip
    return "\n".join(lines)[: datasets.LONGEST_NOTES] or None
