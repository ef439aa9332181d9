"""Turns a request into a plan: resolves references and collects all problems."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.kit.errors import FieldProblem, Invalid, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.datasets import service as datasets
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.library.prompts.models import PromptKind
from edison.pipeline.score.assertions.read import InvalidAssertion, read_assertions
from edison.runs.plan import saved_scorers, scorers
from edison.runs.plan import saved_scorers as graders
from edison.runs.plan import scorers as judging
from edison.runs.plan.schemas import MOST_CELLS, RunRequest, VariantRequest
from edison.runs.plan.types import (
    LONGEST_LABEL,
    EditedParts,
    PlannedCase,
    PlannedVariant,
    RunPlan,
    disambiguate_labels,
)
from edison.runs.plan.versions import (
    ChosenVersion,
    PromptChoice,
    as_is_version,
    choose_versions,
    edit_version,
)
from edison.workspace.budgets import service as budgets

ASSERTION_SCORERS = frozenset({"assertions", "graded_assertions"})
Registry = Mapping[UUID | None, CallableModel]
# Rows listed in a message before "and N others".
NAMED_ROWS = 5


class RequestProblems:
    """Collects all problems of a request."""

    def __init__(self) -> None:
        self._found: list[FieldProblem] = []

    def add(self, field: str, message: str, code: str) -> None:
        self._found.append(FieldProblem(field=field, message=message, code=code))

    def take(self, invalid: Invalid, *, below: str) -> None:
        for each in invalid.problems:
            self.add(f"{below}.{each.field}", each.message, each.code)

    def check(self) -> None:
        """Raises Invalid if there are problems."""
        if self._found:
            raise Invalid(*self._found)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """`edits`, if any, has one entry per variant. `earlier` is a plan of the same request, whose
    cases are used again while the dataset has not changed.
    """

    is_estimate: bool = False
    edits: Sequence[EditedParts] = ()
    earlier: RunPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChosenCases:
    """`changed_at` is when their dataset was last changed."""

    cases: Sequence[PlannedCase] = ()
    dataset_name: str | None = None
    changed_at: datetime | None = None


async def prepare(
    session: AsyncSession,
    *,
    project_id: UUID,
    wanted: RunRequest,
    author_id: UUID | None,
    options: PlanOptions,
) -> RunPlan:
    """Raises Invalid with one entry per problem. Changed drafts become versions and the cases stay
    as they are until the transaction ends, except for an estimate.
    """
    problems = RequestProblems()
    chosen_cases = await _choose_cases(session, project_id, wanted, options, problems)
    cases = chosen_cases.cases
    registry = await _models(session, project_id, wanted, problems)
    requests = await saved_scorers.fill_in(
        session, project_id=project_id, requests=wanted.scorers, on_problem=problems.add
    )
    of_graders = graders.list_choices(requests)
    choices = _choices(wanted.variants)
    versions = await choose_versions(
        session,
        project_id=project_id,
        choices=[*choices, *(choice for _, choice in of_graders)],
        author_id=author_id,
        is_estimate=options.is_estimate,
        on_problem=problems.add,
    )
    count = len(wanted.variants)
    asked = _with_questions(wanted.variants, versions[: len(choices)])
    if options.edits:
        pairs = zip(asked, options.edits, strict=True)
        asked = [each and edit_version(each, edit) for each, edit in pairs]
    variants = _variants(wanted.variants, asked, registry, problems)
    places = (index for index, _ in of_graders)
    chosen = judging.plan_scorers(
        requests,
        dict(zip(places, versions[len(choices) :], strict=True)),
        cases,
        on_problem=problems.add,
    )
    compared_by = judging.plan_comparers(
        wanted.comparers,
        variant_count=count,
        answers_each=len(cases) * wanted.repeats,
        on_problem=problems.add,
    )
    _check_values(wanted, variants, cases, problems)
    await _check_prices(session, project_id, wanted.variants, registry, problems)
    await scorers.check_models(
        session,
        project_id=project_id,
        asked=judging.list_models(chosen, compared_by),
        on_problem=problems.add,
    )
    if len(cases) * len(wanted.variants) * wanted.repeats > MOST_CELLS:
        problems.add("variants", f"A run may have at most {MOST_CELLS:,} cells.", "too_many_cells")
    problems.check()
    return RunPlan(
        name=wanted.name or _name(variants, chosen_cases.dataset_name),
        variants=variants,
        cases=cases,
        scorers=list(chosen.values()),
        comparers=list(compared_by.values()),
        repeats=wanted.repeats,
        dataset_id=wanted.dataset_id,
        dataset_name=chosen_cases.dataset_name,
        dataset_changed_at=chosen_cases.changed_at,
        chosen=wanted.cases,
        redaction=None if wanted.redact_pii is None else wanted.redact_pii.model_dump(mode="json"),
        failed_count_zero=wanted.failed_count_zero,
    )


def _choices(variants: Sequence[VariantRequest]) -> list[PromptChoice]:
    return [
        PromptChoice(
            field=f"variants.{index}", prompt_id=each.prompt_id, version_id=each.version_id
        )
        for index, each in enumerate(variants)
        if each.prompt_id is not None
    ]


def _with_questions(
    variants: Sequence[VariantRequest], chosen: Iterable[ChosenVersion | None]
) -> list[ChosenVersion | None]:
    """The version of each variant; `chosen` are those of the variants with a prompt."""
    of_prompts = iter(chosen)
    return [
        next(of_prompts)
        if each.question_variable is None
        else as_is_version(each.question_variable)
        for each in variants
    ]


async def _choose_cases(
    session: AsyncSession,
    project_id: UUID,
    wanted: RunRequest,
    options: PlanOptions,
    problems: RequestProblems,
) -> _ChosenCases:
    if wanted.dataset_id is None:
        return _ChosenCases(cases=_given_cases(wanted, problems))
    try:
        dataset = await datasets.get_for_run(
            session,
            project_id=project_id,
            dataset_id=wanted.dataset_id,
            keeps_cases=not options.is_estimate,
        )
    except NotFound:
        problems.add("dataset_id", "There is no such dataset in this project.", "unknown_dataset")
        return _ChosenCases()
    earlier = options.earlier
    if earlier is not None and earlier.dataset_changed_at == dataset.updated_at:
        cases = earlier.cases
    else:
        found = await datasets.list_inputs_for_run(
            session, dataset_id=dataset.id, chosen=wanted.cases
        )
        cases = [PlannedCase(inputs=inputs) for inputs in found]
    if not cases and wanted.cases is None:
        problems.add("dataset_id", f"{dataset.name} has no cases.", "dataset_empty")
    elif not cases:
        problems.add("cases", f"No case of {dataset.name} is among those chosen.", "no_cases")
    return _ChosenCases(cases=cases, dataset_name=dataset.name, changed_at=dataset.updated_at)


def _given_cases(wanted: RunRequest, problems: RequestProblems) -> list[PlannedCase]:
    nothing = [None] * len(wanted.rows)
    expected, asserted = wanted.expected or nothing, wanted.assertions or nothing
    for at, each in enumerate(asserted):
        try:
            read_assertions([] if each is None else each.assertions)
        except InvalidAssertion as invalid:
            problems.add(f"assertions.{at}", str(invalid), "invalid_assertion")
    kinds = {each.kind for each in wanted.scorers}
    if any(asserted) and not kinds.intersection(ASSERTION_SCORERS):
        message = "Add the scorer Assertions or Graded assertions, which evaluates the assertions."
        problems.add("scorers", message, "assertions_unused")
    return [
        PlannedCase(
            inputs=inputs,
            expected=answer,
            assertions=None if each is None else each.model_dump(mode="json"),
        )
        for inputs, answer, each in zip(wanted.rows, expected, asserted, strict=True)
    ]


async def _models(
    session: AsyncSession, project_id: UUID, wanted: RunRequest, problems: RequestProblems
) -> Registry:
    """By id; the model of questions that are judged has none."""
    found: dict[UUID | None, CallableModel] = {}
    if wanted.judges_questions:
        found[None] = models.echo_model(project_id)
    for index, variant in enumerate(wanted.variants):
        for name, model_id in (
            ("model_id", variant.model_id),
            ("fallback_model_id", variant.fallback_model_id),
        ):
            if model_id is None or model_id in found:
                continue
            field = f"variants.{index}.{name}"
            try:
                model = await models.get_callable(session, project_id=project_id, model_id=model_id)
            except NotFound:
                problems.add(field, "There is no such model in this project.", "unknown_model")
                continue
            if not model.is_enabled:
                problems.add(field, f"{model.display_name} is switched off.", "model_disabled")
            found[model_id] = model
    return found


def _variants(
    wanted: Sequence[VariantRequest],
    versions: Sequence[ChosenVersion | None],
    registry: Registry,
    problems: RequestProblems,
) -> list[PlannedVariant]:
    planned = []
    for index, (request, version) in enumerate(zip(wanted, versions, strict=True)):
        model = registry.get(request.model_id)
        if model is None or version is None:
            continue
        if version.kind != PromptKind.GENERATOR:
            message = "This prompt grades answers. Choose one that gives answers."
            problems.add(f"variants.{index}.prompt_id", message, "is_grader")
        try:
            parameters = models.choose_parameters(model, request.parameters)
        except Invalid as invalid:
            problems.take(invalid, below=f"variants.{index}")
            continue
        label = model.display_name
        if request.prompt_id is not None:
            label = f"{version.prompt_name} {version.label} · {label}"
        planned.append(
            PlannedVariant(
                label=(request.label or label)[:LONGEST_LABEL],
                prompt_id=request.prompt_id,
                prompt_name=version.prompt_name,
                version_id=version.id,
                version_label=version.label,
                template=version.template,
                parts=version.parts,
                model=model,
                fallback=registry.get(request.fallback_model_id)
                if request.fallback_model_id
                else None,
                parameters=parameters,
            )
        )
    return disambiguate_labels(planned)


def _check_values(
    wanted: RunRequest,
    variants: Sequence[PlannedVariant],
    cases: Sequence[PlannedCase],
    problems: RequestProblems,
) -> None:
    """Every variable that a prompt requires needs a value in every case."""
    field = "dataset_id" if wanted.dataset_id is not None else "inputs"
    names = dict.fromkeys(
        name for variant in variants for name in variant.template.required_variables()
    )
    if names and wanted.dataset_id is None and wanted.inputs is None:
        listed = ", ".join(names)
        message = f"The prompt has variables ({listed}). Choose a dataset, or give their values."
        problems.add("dataset_id", message, "dataset_missing")
        return
    for name in names:
        lacking = [row for row, case in enumerate(cases) if name not in case.inputs]
        if lacking:
            message = f"{_rows(lacking)} no value for {name}."
            problems.add(field, message, "variable_missing")


def _rows(rows: Sequence[int]) -> str:
    if len(rows) == 1:
        return f"Case {rows[0] + 1} has"
    named = ", ".join(str(row + 1) for row in rows[:NAMED_ROWS])
    if len(rows) > NAMED_ROWS:
        return f"Cases {named} and {len(rows) - NAMED_ROWS:,} others have"
    return f"Cases {named} have"


async def _check_prices(
    session: AsyncSession,
    project_id: UUID,
    variants: Iterable[VariantRequest],
    registry: Registry,
    problems: RequestProblems,
) -> None:
    """A project with a budget may only use models with known prices."""
    if not await budgets.has_any(session, project_id=project_id):
        return
    for index, variant in enumerate(variants):
        for model_id in (variant.model_id, variant.fallback_model_id):
            model = None if model_id is None else registry.get(model_id)
            if model is not None and model.prices is None:
                message = (
                    f"The price of {model.display_name} is unknown, and this project has a budget. "
                    "Enter the price under Models."
                )
                problems.add(f"variants.{index}.model_id", message, "price_unknown")


def _name(variants: Sequence[PlannedVariant], dataset_name: str | None) -> str:
    prompts_named = list(
        dict.fromkeys(
            variant.model.display_name if variant.prompt_id is None else variant.prompt_name
            for variant in variants
        )
    )
    name = " vs ".join(prompts_named[:2]) + (" …" if len(prompts_named) > 2 else "")
    return (f"{name} on {dataset_name}" if dataset_name else name)[:200]
