"""The scorers and comparers there are, found by their files, and the forms in which they are
configured.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.score.comparer import Comparer
from edison.pipeline.score.scorer import Scorer

PACKAGE = "edison.pipeline.score.scorers"
COMPARERS = "edison.pipeline.score.comparers"

Plugin = TypeVar("Plugin", bound=BaseModel)


@cache
def scorer_kinds() -> tuple[str, ...]:
    return keys_of(PACKAGE)


def load_scorer(kind: str) -> type[Scorer]:
    """The scorer `kind`; raises KeyError when there is none."""
    return load_plugin(PACKAGE, kind, Scorer)


def form_of(kind: str) -> dict[str, Any]:
    """A JSON Schema of the scorer's options."""
    return load_scorer(kind).model_json_schema()


@cache
def comparer_kinds() -> tuple[str, ...]:
    return keys_of(COMPARERS)


def load_comparer(kind: str) -> type[Comparer]:
    """The comparer `kind`; raises KeyError when there is none."""
    return load_plugin(COMPARERS, kind, Comparer)


def open_scorer(kind: str, options: Mapping[str, Any]) -> Scorer:
    """A scorer with these options. Raises Invalid when they do not fit its form."""
    if kind not in scorer_kinds():
        raise _unknown("There is no such scorer.", "unknown_scorer")
    return _open(load_scorer(kind), options)


def open_comparer(kind: str, options: Mapping[str, Any]) -> Comparer:
    """A comparer with these options. Raises Invalid when they do not fit its form."""
    if kind not in comparer_kinds():
        raise _unknown("There is no such comparer.", "unknown_comparer")
    return _open(load_comparer(kind), options)


def _unknown(message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field="kind", message=message, code=code))


def _open(plugin: type[Plugin], options: Mapping[str, Any]) -> Plugin:
    try:
        return plugin.model_validate(options)
    except ValidationError as wrong:
        raise Invalid(*_problems(wrong)) from wrong


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
