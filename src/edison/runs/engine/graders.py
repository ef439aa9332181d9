"""Grader prompts of a run: looked up when it is planned, so that their words stay as they were."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from edison.library.prompts.models import PromptKind
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.scorers.grader_prompt import EXPECTED, OUTPUT
from edison.runs.engine.planning import PlannedCase
from edison.runs.engine.schemas.requests import ScorerRequest
from edison.runs.engine.versions import ChosenVersion, PromptChoice

KIND = "grader_prompt"
# As long as the name of what a judge was told may be, less what is written before it.
LONGEST_LABEL = 120

Problem = Callable[[str, str, str], None]
_ID = TypeAdapter(UUID)


def list_choices(wanted: Sequence[ScorerRequest | None]) -> list[tuple[int, PromptChoice]]:
    """The prompts of scorers that grade by one, with the scorers' places. Options that make no
    sense are left to whoever checks them.
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


def freeze(
    wanted: Sequence[ScorerRequest | None],
    versions: Mapping[int, ChosenVersion | None],
    cases: Sequence[PlannedCase],
    *,
    on_problem: Problem,
) -> list[ScorerRequest | None]:
    """The scorers with their graders' words in their options, `versions` by the scorers' places.
    What does not fit is told to `on_problem`.
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
    """Every variable comes from the cases or is the answer, and one at least is."""
    names = template.variables()
    if OUTPUT not in names:
        yield "The grader prompt does not use {{output}}, so it cannot see what it grades."
    if not cases:
        # There are none to be had, which is told already.
        return
    for name in names:
        if name in (OUTPUT, EXPECTED):
            continue
        lacking = sum(name not in case.inputs for case in cases)
        if lacking == len(cases):
            yield f"The grader prompt uses {name}, which no case has a value for."
        elif lacking:
            yield f"The grader prompt uses {name}, which {lacking:,} of {len(cases):,} cases lack."
    if EXPECTED in names and not any(case.expected is not None for case in cases):
        yield "The grader prompt uses expected, but no case has an expected answer."
