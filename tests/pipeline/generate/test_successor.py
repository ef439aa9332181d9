"""Suggested successors of retired models."""

import pytest

from edison.pipeline.generate.successor import successor_of

OFFERED = (
    "gemini-2.5-flash",
    "gemini-3-flash-preview",
    "gemini-2.5-flash-lite",
    "gemini-3-pro",
    "mistral-small-2503",
    "mistral-small-latest",
)


@pytest.mark.parametrize(
    ("model", "successor"),
    [
        ("gemini-2.0-flash", "gemini-3-flash-preview"),
        ("gemini-2.0-flash-lite", "gemini-2.5-flash-lite"),
        ("mistral-small-2402", "mistral-small-2503"),
        ("gemini-4-pro", None),
        ("command-light", None),
    ],
)
def test_the_newest_of_the_same_kind_is_suggested(model: str, successor: str | None) -> None:
    assert successor_of(model, OFFERED) == successor
