"""Requests to the wizard's assistant: material quoted as data, a form for the reply, one repair
request when the reply is unreadable, and then a failure with its reason.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Parameters
from edison.pipeline.refine.texts import read_request_text
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.inquiry import Inquiry, Unreadable, ask_until_readable
from edison.pipeline.score.json_text import NotJson, read_json
from edison.pipeline.score.quote import quote
from edison.pipeline.score.scorer import Tools
from edison.pipeline.score.verdict import LONGEST_VERDICT, UnreadableVerdict, unfenced

PARAMETERS = Parameters(temperature=0.7, seed=42, max_tokens=4000)
_KEPT_REPLY = 20_000

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistant:
    """The model to ask. A different `turn` gives different drafts instead of cached ones."""

    tools: Tools
    model_id: UUID
    turn: int = 0

    @property
    def parameters(self) -> Parameters:
        return Parameters(
            temperature=PARAMETERS.temperature,
            seed=(PARAMETERS.seed or 0) + self.turn,
            max_tokens=PARAMETERS.max_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`text_name` names the prompt file, `values` are its variables, `form` is the form of the
    reply. Empty parts of the material are left out.
    """

    text_name: str
    material: Mapping[str, str]
    form: str
    values: Mapping[str, str]

    def inquiry(self) -> Inquiry:
        text = read_request_text(self.text_name)
        quoted = quote({name: part for name, part in self.material.items() if part.strip()})
        values = {**self.values, "number": quoted.number, "material": quoted.text}
        prompt = RenderedPrompt(
            system=text.system.render(values),
            messages=(
                Message(role="user", text=text.question.render(values | {"form": self.form})),
            ),
            wants_json=True,
        )
        return Inquiry(prompt=prompt, text=text, form=self.form)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted(Generic[Item]):
    """At least one draft. `text_name` names the prompt file that the model was given."""

    items: tuple[Item, ...]
    text_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistFailed:
    """`message` is for users. `is_call`: the model call failed."""

    message: str
    said: str
    is_call: bool


async def draft(
    assistant: Assistant, request: Request, read: Callable[[Mapping[str, Any]], tuple[Item, ...]]
) -> Drafted[Item] | AssistFailed:
    """`read` gets the JSON object of the reply and raises UnreadableVerdict."""

    def read_text(said: str) -> tuple[Item, ...]:
        return read(_json_object(said))

    reply = await ask_until_readable(
        assistant.tools, assistant.model_id, request.inquiry(), assistant.parameters, read_text
    )
    if not isinstance(reply, Unreadable):
        return Drafted(items=reply.meaning, text_name=request.text_name)
    is_call = reply.failure is not None
    message = reply.problem if is_call else f"The reply cannot be used. {reply.problem}"
    return AssistFailed(message=message, said=reply.said[:_KEPT_REPLY], is_call=is_call)


def rows_in(reply: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Returns a list of at least one object. Raises UnreadableVerdict."""
    rows = reply.get(key)
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UnreadableVerdict(f'"{key}" must be a list of objects.')
    return rows


def text_in(row: Mapping[str, Any], key: str, *, longest: int, shortest: int = 1) -> str:
    """Returns a text stripped of white space. Raises UnreadableVerdict."""
    value = row.get(key)
    if not isinstance(value, str):
        raise UnreadableVerdict(f'"{key}" must be a text.')
    text = value.strip()
    if not shortest <= len(text) <= longest:
        raise UnreadableVerdict(
            f'"{key}" has {len(text)} characters; it must have {shortest} to {longest}.'
        )
    return text


def _json_object(said: str) -> Mapping[str, Any]:
    if len(said) > LONGEST_VERDICT:
        raise UnreadableVerdict("It is far too long.")
    try:
        value = read_json(unfenced(said))
    except NotJson as wrong:
        raise UnreadableVerdict(f"It is not JSON alone: {wrong}.") from wrong
    if not isinstance(value, dict):
        raise UnreadableVerdict("It must be a JSON object.")
    return value
