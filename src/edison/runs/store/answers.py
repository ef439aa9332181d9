"""Prompts and answers in the form in which they are stored and scored."""

from dataclasses import asdict

from edison.kit import ascii_json
from edison.pipeline.generate.outcome import CallFailed
from edison.pipeline.render.prompt import RenderedPrompt, prompt_text
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorer import CaseAssertions, Subject
from edison.runs.store.models import RunCase
from edison.runs.store.types import CellOutput, StoredCase


def sent_text(prompt: RenderedPrompt) -> str:
    """The prompt as ASCII JSON."""
    system = "null" if prompt.system is None else ascii_json.encode_text(prompt.system)
    messages = ",".join(
        [
            f'{{"role":"{each.role}","text":{ascii_json.encode_text(each.text)}}}'
            for each in prompt.messages
        ]
    )
    tools = ascii_json.encode([asdict(tool) for tool in prompt.tools]) if prompt.tools else "[]"
    return f'{{"system":{system},"messages":[{messages}],"tools":{tools}}}'


def storable(text: str) -> str:
    """Replaces characters that PostgreSQL rejects: NUL and lone surrogates."""
    if "\x00" in text:
        text = text.replace("\x00", "\N{REPLACEMENT CHARACTER}")
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def subject_of(
    output: CellOutput, case: RunCase | StoredCase, *, template: PromptTemplate | None = None
) -> Subject | None:
    """The scorers' view of an output, with its prompt if a template is given; None if the call
    failed.
    """
    completion, parsed = output.answer.outcome, output.parsed
    if isinstance(completion, CallFailed):
        return None
    usage = completion.usage
    return Subject(
        text=storable(completion.text),
        parsed=None if parsed.text is None else storable(parsed.text),
        malformed=parsed.malformed,
        expected=case.expected,
        inputs=case.inputs,
        latency_seconds=completion.latency_seconds,
        cost_nanos=output.answer.cost_nanos,
        output_tokens=None if usage is None else usage.output_tokens,
        tool_calls=completion.tool_calls,
        finish_reason=completion.finish_reason.value,
        redacted=completion.redacted,
        prompt=None if template is None else _prompt_of(template, case),
        assertions=None if case.assertions is None else CaseAssertions(**case.assertions),
    )


def _prompt_of(template: PromptTemplate, case: RunCase | StoredCase) -> str | None:
    rendered = template.find_rendered(case.inputs)
    return None if rendered is None else storable(prompt_text(rendered.system, rendered.messages))
