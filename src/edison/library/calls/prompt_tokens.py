"""Counts the tokens of prompts before they are sent, without holding up anybody."""

import asyncio

from edison.pipeline.generate.tokens.counting import count_prompt
from edison.pipeline.render.prompt import RenderedPrompt

# About a millisecond of counting.
SHORT_CHARACTERS = 8_000


class Counter:
    """Short prompts are counted at once, as handing them to a thread takes longer. Long ones, and
    the first of a model, for which an encoding may have to be loaded, are counted in a thread.
    """

    def __init__(self) -> None:
        self._known: set[tuple[str, str]] = set()

    async def count(self, prompt: RenderedPrompt, *, model: str, provider: str) -> int:
        if (provider, model) in self._known and _is_short(prompt):
            return count_prompt(prompt, model=model, provider=provider).tokens
        counted = await asyncio.to_thread(count_prompt, prompt, model=model, provider=provider)
        self._known.add((provider, model))
        return counted.tokens


def _is_short(prompt: RenderedPrompt) -> bool:
    characters = len(prompt.system or "") + sum(len(each.text) for each in prompt.messages)
    return characters <= SHORT_CHARACTERS and not prompt.tools
