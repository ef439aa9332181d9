"""Finds answers that name a model, which would reveal it to the voter. Pure."""

import re
from collections.abc import Collection

# Names by which models and their vendors introduce themselves.
_WELL_KNOWN = (
    "openai",
    "chatgpt",
    "gpt",
    "anthropic",
    "claude",
    "gemini",
    "deepmind",
    "bard",
    "llama",
    "meta ai",
    "mistral",
    "mixtral",
    "qwen",
    "deepseek",
    "grok",
    "cohere",
    "copilot",
)
_SHORTEST = 3


class ModelNames:
    """The names of a round's models, and the well-known ones."""

    def __init__(self, names: Collection[str]) -> None:
        known = {name.casefold() for name in names if len(name) >= _SHORTEST} | {*_WELL_KNOWN}
        longest_first = sorted(known, key=lambda name: (-len(name), name))
        listed = "|".join(re.escape(name) for name in longest_first)
        # "gpt" also in "GPT-5", not in "Egypt".
        self._pattern = re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W\d_])")

    def are_in(self, answer: str, *, asked: str) -> bool:
        """Whether the answer names a model that the question does not name."""
        found = set(self._pattern.findall(answer.casefold()))
        return bool(found - set(self._pattern.findall(asked.casefold())))
