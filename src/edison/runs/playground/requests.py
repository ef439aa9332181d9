"""Converts playground requests to run requests, and their problems back."""

from collections.abc import Iterable

from edison.kit.errors import FieldProblem
from edison.runs.plan.schemas import RunRequest, ScorerRequest, VariantRequest
from edison.runs.playground.schemas import PlaygroundRequest

GRADER = "grader_prompt"


def run_request(wanted: PlaygroundRequest) -> RunRequest:
    """Columns become variants; the grader becomes the first scorer."""
    return RunRequest(
        name=wanted.name,
        variants=[
            VariantRequest(
                prompt_id=wanted.prompt_id,
                version_id=column.version_id,
                model_id=column.model_id,
                parameters=column.parameters,
                label=column.label,
            )
            for column in wanted.columns
        ],
        dataset_id=wanted.dataset_id,
        cases=wanted.cases,
        inputs=None if wanted.inputs is None else [wanted.inputs],
        expected=None if wanted.expected is None else [wanted.expected],
        repeats=wanted.repeats,
        scorers=[*_grader(wanted), *wanted.scorers],
        comparers=[],
        is_cache_bypassed=wanted.is_cache_bypassed,
    )


def _grader(wanted: PlaygroundRequest) -> list[ScorerRequest]:
    if wanted.grader_prompt_id is None:
        return []
    options = {"prompt_id": str(wanted.grader_prompt_id), "form": wanted.grader_form.value}
    if wanted.grader_model_id is not None:
        options["model_id"] = str(wanted.grader_model_id)
    return [ScorerRequest(kind=GRADER, options=options)]


def name_fields(
    problems: Iterable[FieldProblem], wanted: PlaygroundRequest
) -> tuple[FieldProblem, ...]:
    """Problems with playground field names; a prompt problem shared by all columns appears once."""
    named = (_named(problem, wanted) for problem in problems)
    return tuple(dict.fromkeys(named))


def _named(problem: FieldProblem, wanted: PlaygroundRequest) -> FieldProblem:
    field = _field(problem.field.split("."), has_grader=wanted.grader_prompt_id is not None)
    if field == "grader_model_id" and wanted.grader_model_id is None:
        message = "Choose the model that answers the grader prompt."
        return FieldProblem(field=field, message=message, code="model_missing")
    return FieldProblem(field=field, message=problem.message, code=problem.code)


def _field(path: list[str], *, has_grader: bool) -> str:
    match path:
        case ["variants", _, "prompt_id"]:
            return "prompt_id"
        case ["variants", *rest]:
            return ".".join(["columns", *rest])
        case ["scorers", "0", "options", "prompt_id", *_] if has_grader:
            return "grader_prompt_id"
        case ["scorers", "0", *_] if has_grader:
            return "grader_model_id"
        case ["scorers", place, *rest] if has_grader:
            return ".".join(["scorers", str(int(place) - 1), *rest])
        case _:
            return ".".join(path)
