"""Instantiates plug-ins, whose class is the Pydantic model of their options."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from edison.kit.errors import FieldProblem, Invalid

Plugin = TypeVar("Plugin", bound=BaseModel)


def open_with(plugin: type[Plugin], options: Mapping[str, Any]) -> Plugin:
    """Validates the options. Raises Invalid with one problem per field."""
    try:
        return plugin.model_validate(options)
    except ValidationError as wrong:
        raise Invalid(*_problems(wrong)) from wrong


def unknown_kind(message: str, code: str) -> Invalid:
    """The error for a kind without a plug-in."""
    return Invalid(FieldProblem(field="kind", message=message, code=code))


def _problems(wrong: ValidationError) -> list[FieldProblem]:
    return [
        FieldProblem(
            field=".".join(map(str, ("options", *found["loc"]))),
            message=_sentence(found["type"], found["msg"]),
            code=found["type"],
        )
        for found in wrong.errors(include_input=False, include_context=False, include_url=False)
    ]


def _sentence(kind: str, message: str) -> str:
    return "This field is required." if kind == "missing" else message.removeprefix("Value error, ")
