"""Token count of a text that is being edited."""

from edison.library.models.schemas import CountRequest
from edison.pipeline.generate.tokens.count import Count, count, count_prompt, tool_text
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition


def count_request(wanted: CountRequest, *, model: str, provider: str) -> Count:
    if wanted.messages is None:
        return count(wanted.text or "", model=model, provider=provider)
    prompt = RenderedPrompt(
        messages=tuple(Message(role=entry.role, text=entry.text) for entry in wanted.messages),
        system=wanted.system,
        tools=_tools(wanted),
    )
    return count_prompt(prompt, model=model, provider=provider)


def characters_of(wanted: CountRequest) -> int:
    texts = [entry.text for entry in wanted.messages or ()]
    texts += map(tool_text, _tools(wanted))
    return sum(map(len, (wanted.text or "", wanted.system or "", *texts)))


def _tools(wanted: CountRequest) -> tuple[ToolDefinition, ...]:
    return tuple(ToolDefinition(**tool.model_dump()) for tool in wanted.tools)
