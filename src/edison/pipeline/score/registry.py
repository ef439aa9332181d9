"""The scorers there are, found by their files, and the forms in which they are configured."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import ValidationError

from edison.kit.errors import FieldProblem, Invalid
from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.score.scorer import Scorer

PACKAGE = "edison.pipeline.score.scorers"


@cache
def scorer_kinds() -> tuple[str, ...]:
    return keys_of(PACKAGE)


def load_scorer(kind: str) -> type[Scorer]:
    """The scorer `kind`; raises KeyError when there is none."""
    return load_plugin(PACKAGE, kind, Scorer)


def form_of(kind: str) -> dict[str, Any]:
    """A JSON Schema of the scorer's options."""
    return load_scorer(kind).model_json_schema()


def open_scorer(kind: str, options: Mapping[str, Any]) -> Scorer:
    """A scorer with these options. Raises Invalid when they do not fit its form."""
    if kind not in scorer_kinds():
        raise Invalid(
            FieldProblem(field="kind", message="There is no such scorer.", code="unknown_scorer")
        )
    try:
        return load_scorer(kind).model_validate(options)
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
