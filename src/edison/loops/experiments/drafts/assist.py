"""The wizard's assistant: drafts, improves or advises on a step.

Models are called through the gateway: within the budgets, with ledger entries. No transaction is
open during a call.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from pydantic import ValidationError

from edison.kit.errors import FieldProblem, Invalid, Unavailable
from edison.library.calls.gateway import CallContext
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.loops.experiments.drafts import advice
from edison.loops.experiments.drafts.advice import AssistContext
from edison.loops.experiments.repository.experiments import Experiments
from edison.loops.experiments.schemas.assist import AssistRead, AssistRequest, TextOption
from edison.loops.experiments.schemas.drafts import CriterionDraft, Step
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.refine.assist import objectives, prompts, rubrics
from edison.pipeline.refine.assist.draft import Assistant, AssistFailed, Drafted
from edison.pipeline.refine.assist.objectives import ImprovedText
from edison.pipeline.refine.assist.prompts import Purpose
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.score.rubric import Criterion
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets

PURPOSE = "assist"
CALL_CONTEXT = CallContext(
    purpose=PURPOSE,
    keep_for=timedelta(hours=1),
    call_group=CallGroup(key=PURPOSE, is_interactive=True),
)

Item = TypeVar("Item")
Revised = Drafted[ImprovedText] | AssistFailed
Helper = Callable[[AssistContext, AssistRequest], Awaitable[AssistRead]]


async def assist(context: AssistContext, step: Step, wanted: AssistRequest) -> AssistRead:
    """Raises Invalid for an action that the step does not have, NotFound for an experiment of
    another project, Unavailable without a usable answer, and BudgetExhausted.
    """
    helper = _HELPERS.get((step, wanted.action))
    if helper is None:
        known = ", ".join(action for each, action in _HELPERS if each is step)
        message = f"Choose one of: {known}." if known else "This step has no assistant."
        raise Invalid(FieldProblem(field="action", message=message, code="unknown_action"))
    if wanted.experiment_id is not None:
        async with context.database.read() as session:
            await Experiments(session).get(context.project_id, wanted.experiment_id)
    found = await helper(context, wanted)
    async with context.database.write() as session:
        audit.record(
            session,
            "experiment.assisted",
            entity=("experiment", wanted.experiment_id),
            project_id=context.project_id,
            after={"step": step, "action": wanted.action, "model": found.model},
        )
    return found


class _AssistantTools:
    """Gives the assistant access to one model."""

    def __init__(self, context: AssistContext, model: CallableModel) -> None:
        self._context = context
        self._model = model

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        answer = await self._context.gateway.answer(
            self._model, prompt, parameters, context=CALL_CONTEXT
        )
        await self._context.gateway.flush()
        return answer


async def _open(context: AssistContext, wanted: AssistRequest) -> tuple[Assistant, CallableModel]:
    """The model named in the request, else the refiner, the first judge, or the smartest model of
    the balanced set.
    """
    limits, judges = wanted.draft.limits, wanted.draft.judges.judges
    async with context.database.read() as session:
        model_id = wanted.model_id or limits.refiner_model_id or (judges[0] if judges else None)
        if model_id is None:
            advised = (await models.get_advice(session, project_id=context.project_id)).balanced_set
            listed = await advice.list_models(session, context.project_id)
            model_id = advised[-1].model.id if advised else (listed[0].id if listed else None)
        if model_id is None:
            message = "Add a model to the project first."
            raise Invalid(FieldProblem(field="model_id", message=message, code="no_model"))
        model = await models.get_callable(session, project_id=context.project_id, model_id=model_id)
        need = models.least_need([model])
        await budgets.check_open(session, project_id=context.project_id, need=need)
    tools = _AssistantTools(context, model)
    return Assistant(tools=tools, model_id=model.id, turn=wanted.turn), model


def _read(model: CallableModel, **values: Any) -> AssistRead:
    return AssistRead.model_validate(
        {"model": model.display_name, "is_simulated": model.is_simulated, **values}
    )


def _items_of(drafted: Drafted[Item] | AssistFailed) -> Sequence[Item]:
    """Returns the answer. Raises Unavailable."""
    if isinstance(drafted, AssistFailed):
        raise Unavailable(drafted.message)
    return drafted.items


def _need(text: str, field: str, message: str) -> str:
    if not text.strip():
        raise Invalid(FieldProblem(field=field, message=message, code="missing"))
    return text


def _goal(wanted: AssistRequest) -> str:
    message = "Write the objective first."
    return _need(wanted.draft.objective.goal, "draft.objective.goal", message)


def _purpose(wanted: AssistRequest) -> Purpose:
    """Leaves out incomplete criteria."""
    criteria = []
    for each in wanted.draft.rubric.criteria:
        with suppress(ValidationError):
            criteria.append(Criterion.model_validate(each.model_dump()))
    return Purpose(
        objective=_goal(wanted), criteria=tuple(criteria), syntax=wanted.draft.prompt.syntax
    )


async def _draft_objectives(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    hints = _need(wanted.hints, "hints", "Describe in a few words what the prompt is for.")
    assistant, model = await _open(context, wanted)
    found = _items_of(await objectives.draft_objectives(assistant, hints))
    return _read(model, texts=[TextOption(title=each.title, text=each.text) for each in found])


async def _revise_objective(
    context: AssistContext, wanted: AssistRequest, revise: Callable[..., Awaitable[Revised]]
) -> AssistRead:
    goal = _goal(wanted)
    assistant, model = await _open(context, wanted)
    return _read(model, texts=_revised(_items_of(await revise(assistant, goal))))


def _revised(found: Sequence[ImprovedText]) -> list[TextOption]:
    return [TextOption(title="Improved", text=each.text, reason=each.changes) for each in found]


async def _improve_objective(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    return await _revise_objective(context, wanted, objectives.improve_objective)


async def _detail_objective(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    return await _revise_objective(context, wanted, objectives.add_details)


async def _draft_rubric(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    goal = _goal(wanted)
    assistant, model = await _open(context, wanted)
    found = _items_of(await rubrics.draft_rubric(assistant, goal))
    criteria = [CriterionDraft.model_validate(each.model_dump(mode="json")) for each in found]
    return _read(model, criteria=criteria)


async def _draft_prompts(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    purpose = _purpose(wanted)
    assistant, model = await _open(context, wanted)
    found = _items_of(await prompts.draft_prompts(assistant, purpose))
    texts = [
        TextOption(title=each.name, text=each.text, system=each.system, reason=each.rationale)
        for each in found
    ]
    return _read(model, texts=texts)


async def _revise_prompt(
    context: AssistContext, wanted: AssistRequest, revise: Callable[..., Awaitable[Revised]]
) -> AssistRead:
    text = _need(wanted.draft.prompt.text, "draft.prompt.text", "Write the prompt first.")
    purpose = _purpose(wanted)
    assistant, model = await _open(context, wanted)
    return _read(model, texts=_revised(_items_of(await revise(assistant, text, purpose))))


async def _improve_prompt(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    return await _revise_prompt(context, wanted, prompts.improve_prompt)


async def _constrain_prompt(context: AssistContext, wanted: AssistRequest) -> AssistRead:
    return await _revise_prompt(context, wanted, prompts.add_constraints)


_HELPERS: Mapping[tuple[Step, str], Helper] = {
    (Step.OBJECTIVE, "draft"): _draft_objectives,
    (Step.OBJECTIVE, "improve"): _improve_objective,
    (Step.OBJECTIVE, "detail"): _detail_objective,
    (Step.RUBRIC, "draft"): _draft_rubric,
    (Step.PROMPT, "draft"): _draft_prompts,
    (Step.PROMPT, "improve"): _improve_prompt,
    (Step.PROMPT, "constrain"): _constrain_prompt,
    (Step.MODELS, "recommend"): advice.recommend_models,
    (Step.MODELS, "prune"): advice.prune_models,
    (Step.JUDGES, "recommend"): advice.recommend_judges,
    (Step.LIMITS, "suggest"): advice.suggest_limits,
}
