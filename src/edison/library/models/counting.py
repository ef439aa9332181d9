"""Counting the tokens of what somebody is writing."""

from edison.library.models.schemas import CountRequest
from edison.pipeline.generate.tokens.counting import Count, count, count_prompt
from edison.pipeline.render.prompt import Message, RenderedPrompt


def count_request(wanted: CountRequest, *, model: str, provider: str) -> Count:
    if wanted.messages is None:
        return count(wanted.text or "", model=model, provider=provider)
    prompt = RenderedPrompt(
        messages=tuple(Message(role=entry.role, text=entry.text) for entry in wanted.messages),
        system=wanted.system,
    )
    return count_prompt(prompt, model=model, provider=provider)


def characters_of(wanted: CountRequest) -> int:
    texts = [entry.text for entry in wanted.messages or ()]
    return sum(map(len, (wanted.text or "", wanted.system or "", *texts)))
