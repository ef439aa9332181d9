"""Token counts of prompts, without blocking the event loop."""

import asyncio

from edison.pipeline.generate.tokens.count import Count, count_prompt
from edison.pipeline.render.prompt import RenderedPrompt

# Takes about a millisecond to count.
SHORT_CHARACTERS = 8_000


class Counter:
    """Counts short prompts inline, because a thread hop takes longer. Long prompts, and the first
    prompt of a model, which may load an encoding, are counted in a thread.
    """

    def __init__(self) -> None:
        self._known: set[tuple[str, str]] = set()

    async def count(self, prompt: RenderedPrompt, *, model: str, provider: str) -> Count:
        if (provider, model) in self._known and _is_short(prompt):
            return count_prompt(prompt, model=model, provider=provider)
        counted = await asyncio.to_thread(count_prompt, prompt, model=model, provider=provider)
        self._known.add((provider, model))
        return counted


def _is_short(prompt: RenderedPrompt) -> bool:
    characters = len(prompt.system or "") + sum(len(each.text) for each in prompt.messages)
    return characters <= SHORT_CHARACTERS and not prompt.tools
