"""Resolves saved scorers and grader prompts named in a run request."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts.models import PromptKind
from edison.library.scorers import service as saved
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorers.grader_prompt import EXPECTED, INPUT, OUTPUT
from edison.runs.plan.schemas import ScorerRequest
from edison.runs.plan.types import PlannedCase
from edison.runs.plan.versions import ChosenVersion, PromptChoice


async def fill_in(
    session: AsyncSession,
    *,
    project_id: UUID,
    requests: Sequence[ScorerRequest],
    on_problem: Callable[[str, str, str], None],
) -> list[ScorerRequest | None]:
    """Replaces references to saved scorers by their settings. Returns one entry per request, None
    where there is a problem.
    """
    version_ids = [each.scorer_version_id for each in requests if each.scorer_version_id]
    if not version_ids:
        return list(requests)
    chosen = await saved.find_chosen(session, project_id=project_id, version_ids=version_ids)
    filled: list[ScorerRequest | None] = []
    for index, request in enumerate(requests):
        if request.scorer_version_id is None:
            filled.append(request)
        elif request.scorer_version_id in chosen:
            filled.append(_with(request, chosen[request.scorer_version_id]))
        else:
            message = "There is no such version of a scorer in this project."
            on_problem(f"scorers.{index}.scorer_version_id", message, "unknown_scorer_version")
            filled.append(None)
    return filled


def _with(request: ScorerRequest, scorer: saved.ChosenScorer) -> ScorerRequest:
    config = scorer.config
    return request.model_copy(
        update={
            "kind": config.kind,
            "label": request.label or scorer.name,
            "options": dict(config.options),
            "weight": request.weight if "weight" in request.model_fields_set else config.weight,
            "threshold": config.threshold,
            "is_negated": config.is_negated,
        }
    )


KIND = "grader_prompt"
# Maximum length of a stored judge prompt's name, less its prefix.
LONGEST_LABEL = 120

Problem = Callable[[str, str, str], None]
_ID = TypeAdapter(UUID)


def list_choices(wanted: Sequence[ScorerRequest | None]) -> list[tuple[int, PromptChoice]]:
    """The grader prompts of the scorers, with the scorers' positions. Skips invalid options, which
    `plan_scorer` reports.
    """
    return list(_choices(wanted))


def _choices(wanted: Sequence[ScorerRequest | None]) -> Iterator[tuple[int, PromptChoice]]:
    for index, request in enumerate(wanted):
        if request is None or request.kind != KIND:
            continue
        try:
            prompt_id = _ID.validate_python(request.options.get("prompt_id"))
            given = request.options.get("version_id")
            version_id = None if given is None else _ID.validate_python(given)
        except ValidationError:
            continue
        field = f"scorers.{index}.options"
        yield index, PromptChoice(field=field, prompt_id=prompt_id, version_id=version_id)


def embed_grader_prompts(
    wanted: Sequence[ScorerRequest | None],
    versions: Mapping[int, ChosenVersion | None],
    cases: Sequence[PlannedCase],
    *,
    on_problem: Problem,
) -> list[ScorerRequest | None]:
    """Copies the grader prompts' texts into the scorers' options. `versions` are by scorer
    position. Reports mismatches to `on_problem`.
    """
    frozen = list(wanted)
    for index, version in versions.items():
        request = wanted[index]
        if version is not None and request is not None:
            frozen[index] = _frozen(index, request, version, cases, on_problem)
    return frozen


def _frozen(
    index: int,
    request: ScorerRequest,
    version: ChosenVersion,
    cases: Sequence[PlannedCase],
    on_problem: Problem,
) -> ScorerRequest:
    place = f"scorers.{index}.options.prompt_id"
    if version.kind != PromptKind.GRADER:
        on_problem(place, "This prompt gives answers. Choose one that grades them.", "is_generator")
    for message in _lacking(version.template, cases):
        on_problem(place, message, "variable_missing")
    label = f"{version.prompt_name} {version.label}"[:LONGEST_LABEL]
    frozen = {**version.parts, "label": label}
    if version.id is not None:
        frozen["version_id"] = str(version.id)
    return request.model_copy(
        update={
            "label": request.label or version.prompt_name,
            "options": {**request.options, "frozen": frozen},
        }
    )


def _lacking(template: PromptTemplate, cases: Sequence[PlannedCase]) -> Iterator[str]:
    """Why the grader prompt does not fit the cases: it must use the output, and every other
    variable must come from the cases.
    """
    names = template.variables()
    if OUTPUT not in names:
        yield "The grader prompt does not use {{output}}, so it cannot see what it grades."
    if not cases:
        # No cases, which is already reported.
        return
    required = template.required_variables()
    for name in required:
        if name in (OUTPUT, EXPECTED):
            continue
        lacking = sum(
            name not in case.inputs and not (name == INPUT and case.inputs) for case in cases
        )
        if lacking == len(cases):
            yield f"The grader prompt uses {name}, which no case has a value for."
        elif lacking:
            yield f"The grader prompt uses {name}, which {lacking:,} of {len(cases):,} cases lack."
    if EXPECTED in required and not any(case.expected is not None for case in cases):
        yield "The grader prompt uses expected, but no case has an expected answer."
