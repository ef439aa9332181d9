"""Lets a model propose a better wording for one input of a case. Nothing is changed: a person
accepts the proposal by changing the case.
"""

from datetime import timedelta
from uuid import UUID

from edison.db.session import Database
from edison.kit.errors import FieldProblem, Invalid, Unavailable
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.datasets import service as datasets
from edison.library.generation.prepare import DatasetRef, check_dataset, get_model
from edison.library.generation.schemas import RewriteRead, RewriteRequest
from edison.library.models import service as models
from edison.library.models.service import CallableModel
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.fair_queue import CallGroup
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.refine.assist.draft import Assistant, AssistFailed
from edison.pipeline.refine.assist.questions import LONGEST_QUESTION, rewrite_question
from edison.pipeline.render.prompt import RenderedPrompt
from edison.workspace.audit import service as audit
from edison.workspace.budgets import service as budgets

PURPOSE = "rewrite"
CALL_CONTEXT = CallContext(
    purpose=PURPOSE,
    keep_for=timedelta(hours=1),
    call_group=CallGroup(key=PURPOSE, is_interactive=True),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _RewriteTools:
    gateway: Gateway
    model: CallableModel

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        answer = await self.gateway.answer(self.model, prompt, parameters, context=CALL_CONTEXT)
        await self.gateway.flush()
        return answer


async def propose_rewrite(
    database: Database,
    gateway: Gateway,
    *,
    place: DatasetRef,
    case_id: UUID,
    wanted: RewriteRequest,
) -> RewriteRead:
    """No transaction is open during the call. Raises NotFound, Invalid, BudgetExhausted, and
    Unavailable without a usable answer.
    """
    async with database.write() as session:
        await check_dataset(session, place)
        case = await datasets.get_case(
            session, project_id=place.project_id, dataset_id=place.dataset_id, case_id=case_id
        )
        question = _question(case.inputs.get(wanted.variable))
        version = case.version
        model = await get_model(session, place.project_id, wanted.model_id)
        need = models.least_need([model])
        await budgets.check_open(session, project_id=place.project_id, need=need)
        audit.record(
            session,
            "case.rewrite_proposed",
            entity=("case", case_id),
            project_id=place.project_id,
            after={"model": model.display_name, "variable": wanted.variable},
        )
    assistant = Assistant(
        tools=_RewriteTools(gateway=gateway, model=model), model_id=model.id, turn=wanted.turn
    )
    found = await rewrite_question(assistant, question, wanted.remarks)
    if isinstance(found, AssistFailed):
        raise Unavailable(found.message)
    (better,) = found.items
    return RewriteRead(
        text=better.text,
        changes=better.changes,
        case_version=version,
        model=model.display_name,
        is_simulated=model.is_simulated,
    )


def _question(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _problem("variable", "The case has no text for this variable.", "variable_missing")
    if len(value) > LONGEST_QUESTION:
        message = f"The text has more than {LONGEST_QUESTION:,} characters."
        raise _problem("variable", message, "too_long")
    return value


def _problem(field: str, message: str, code: str) -> Invalid:
    return Invalid(FieldProblem(field=field, message=message, code=code))
