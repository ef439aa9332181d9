"""The strategy's step: proposes the candidates of a generation.

Answers of models are cached, so that a process that takes over after a crash repeats the calls at
no cost. Candidates are stored in one transaction, and the generation's number decides who does it.
"""

import asyncio
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit import clock, ids
from edison.kit.errors import Exhausted, NotFound
from edison.kit.lazy_dataclasses import dataclass
from edison.library.calls.gateway import CallContext, Gateway
from edison.library.models import service as models
from edison.library.prompts import service as prompts
from edison.library.prompts.schemas import PromptContent
from edison.loops.optimizations.configure import open_strategy, read_config
from edison.loops.optimizations.context import SearchContext, build_context
from edison.loops.optimizations.models import (
    Optimization,
    OptimizationCandidate,
    OptimizationRound,
)
from edison.loops.optimizations.repository import Optimizations, OptimizationSteps
from edison.loops.optimizations.rounds import BASE
from edison.loops.optimizations.states import (
    CandidateOrigin,
    CandidateState,
    EntryKind,
    OptimizationState,
)
from edison.loops.optimizations.transitions import lock_active
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.outcome import CallFailed, FailureReason
from edison.pipeline.generate.path.question import Answer, unsent
from edison.pipeline.refine.baselines import state_the_rubric
from edison.pipeline.refine.parts import changed_parts, diff_prompts
from edison.pipeline.refine.search import SearchStop, find_objections
from edison.pipeline.refine.suggestion import (
    NoChange,
    Proposal,
    RefinementFailed,
    SuggestedEdit,
    SuggestionOrigin,
)
from edison.pipeline.render.prompt import RenderedPrompt
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.workspace.budgets.errors import NotPermitted
from edison.workspace.budgets.types import Permit
from edison.workspace.resources import service as resources

PURPOSE = "refine"
# Lifetime of cached answers of strategies: long enough to recover from an outage.
ANSWERS_KEPT = timedelta(days=2)
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCandidates:
    """What a strategy proposed for a generation. `refused` are reasons of edits that broke a guard
    rail, `failures` those of requests without a usable reply.
    """

    candidates: Sequence[OptimizationCandidate]
    unchanged: Sequence[str] = ()
    failures: Sequence[str] = ()
    refused: Sequence[str] = ()
    is_out_of_money: bool = False


async def propose(
    database: Database,
    gateway: Gateway,
    row: Optimization,
    candidates: Sequence[OptimizationCandidate],
    rounds: Sequence[OptimizationRound],
) -> None:
    """Stores the candidates of the next generation, or that there are none, which ends the search.
    Raises NotFound and Invalid when it cannot go on.
    """
    generation = max(each.generation for each in rounds) + 1
    context = await build_context(database, row, candidates, rounds, generation=generation)
    try:
        found = await _ask(database, gateway, row, context, run_id=rounds[-1].run_id)
    except NotPermitted:
        # It was paused or cancelled meanwhile.
        return
    except Exhausted as exhausted:
        proposed = NewCandidates(candidates=(), failures=(exhausted.message,), is_out_of_money=True)
    else:
        proposed = await asyncio.to_thread(
            select, context, found, first=len(candidates), generation=generation
        )
    await gateway.flush()
    async with database.write() as session:
        await _store(session, row.id, proposed, known=len(candidates), generation=generation)


async def _ask(
    database: Database,
    gateway: Gateway,
    row: Optimization,
    context: SearchContext,
    *,
    run_id: UUID | None,
) -> Sequence[Proposal]:
    optimizer = open_strategy(read_config(row).strategy)
    tools = _StrategyTools(database=database, gateway=gateway, row=row, run_id=run_id)
    return await optimizer.propose(context.refiner_input, tools)


def select(
    context: SearchContext, proposals: Sequence[Proposal], *, first: int, generation: int
) -> NewCandidates:
    """New candidates, numbered from `first`. A prompt that takes part already is left out, and so
    is one that no strategy may propose: empty, with other variables, or with copied cases.
    """
    base = context.templates[BASE]
    known = dict(context.templates)
    rows: list[OptimizationCandidate] = []
    refused: list[str] = []
    for each in proposals:
        if not isinstance(each, SuggestedEdit) or each.prompt in known.values():
            continue
        reasons = _objections(context, each.prompt)
        if reasons:
            refused.append(" ".join(reasons)[:_LONGEST_REASON])
            continue
        number = first + len(rows)
        rows.append(_candidate(base, each, known, number=number, generation=generation))
        known[number] = each.prompt
    return NewCandidates(
        candidates=rows,
        refused=refused,
        unchanged=[each.note for each in proposals if isinstance(each, NoChange)],
        failures=[
            " ".join(each.reasons)[:_LONGEST_REASON]
            for each in proposals
            if isinstance(each, RefinementFailed)
        ],
    )


def _objections(context: SearchContext, prompt: PromptTemplate) -> list[str]:
    base = context.templates[BASE]
    material = context.refiner_input.material()
    found = find_objections(base, prompt, material=material)
    if found:
        return [each.message for each in found]
    parts = prompts.contents_of(context.version) | changed_parts(base, prompt)
    try:
        written = PromptContent.model_validate(parts)
    except ValidationError as wrong:
        return [each["msg"] for each in wrong.errors()]
    return [each.message for each in prompts.find_problems(written)]


def _candidate(
    base: PromptTemplate,
    edit: SuggestedEdit,
    known: dict[int, PromptTemplate],
    *,
    number: int,
    generation: int,
) -> OptimizationCandidate:
    is_rubric = edit.origin is SuggestionOrigin.RUBRIC
    return OptimizationCandidate(
        id=ids.new_id(),
        number=number,
        generation=generation,
        origin=CandidateOrigin.RUBRIC if is_rubric else CandidateOrigin.STRATEGY,
        operator=None if is_rubric else edit.operator,
        state=CandidateState.PROPOSED,
        parents=[at for at, prompt in known.items() if prompt in edit.parents] or [BASE],
        parts=changed_parts(base, edit.prompt),
        diff=diff_prompts(base, edit.prompt),
        note=edit.note,
        targets=list(edit.targets),
        text_name=edit.text_name,
        scores={},
        created_at=clock.now(),
    )


async def _store(
    session: AsyncSession,
    optimization_id: UUID,
    proposed: NewCandidates,
    *,
    known: int,
    generation: int,
) -> None:
    """Also for an optimization that was paused meanwhile: its proposals are paid for."""
    row = await lock_active(
        session, optimization_id, OptimizationState.RUNNING, OptimizationState.PAUSED
    )
    optimizations = Optimizations(session)
    steps = OptimizationSteps(optimizations)
    if row is None or len(await steps.list_candidates([optimization_id])) != known:
        return
    for each in proposed.candidates:
        each.optimization_id = optimization_id
    await steps.add_candidates(proposed.candidates)
    data: dict[str, Any] = {
        "generation": generation,
        "candidates": len(proposed.candidates),
        "unchanged": list(proposed.unchanged),
        "failures": list(proposed.failures),
        "refused": list(proposed.refused),
    }
    await steps.add_entry(optimization_id, EntryKind.PROPOSED, data)
    if not proposed.candidates:
        stop = SearchStop.MONEY if proposed.is_out_of_money else SearchStop.NO_CANDIDATES
        await end_search(session, row, stop)
    await resources.publish(session, row)


async def end_search(session: AsyncSession, row: Optimization, stop: SearchStop) -> None:
    """The finalist, if any, is tested next."""
    optimizations = Optimizations(session)
    await optimizations.set_values(row.id, stop_reason=stop)
    steps = OptimizationSteps(optimizations)
    await steps.add_entry(row.id, EntryKind.SEARCH_ENDED, {"reason": stop})


def baseline_candidates(
    optimization_id: UUID, context: SearchContext
) -> list[OptimizationCandidate]:
    """ "No change" and, where there is a rubric to state, "state the rubric"."""
    base = OptimizationCandidate(
        id=ids.new_id(),
        optimization_id=optimization_id,
        number=BASE,
        generation=0,
        origin=CandidateOrigin.BASE,
        state=CandidateState.PROPOSED,
        parents=[],
        parts={},
        diff="",
        note="The version as it is.",
        targets=[],
        scores={},
        created_at=clock.now(),
    )
    stated = state_the_rubric(context.refiner_input)
    if stated is None:
        return [base]
    proposed = select(context, [stated], first=1, generation=0)
    for each in proposed.candidates:
        each.optimization_id = optimization_id
    return [base, *proposed.candidates]


class _StrategyTools:
    """Lets strategies call models on behalf of an optimization."""

    def __init__(
        self, *, database: Database, gateway: Gateway, row: Optimization, run_id: UUID | None
    ) -> None:
        self._database = database
        self._gateway = gateway
        self._project_id = row.project_id
        self._context = CallContext(
            purpose=PURPOSE,
            scope_ids=(row.id,),
            keep_for=ANSWERS_KEPT,
            run_id=run_id,
            permit=Permit(check=_list_spenders, subject_id=row.id),
        )

    async def ask(self, model_id: UUID, prompt: RenderedPrompt, parameters: Parameters) -> Answer:
        async with self._database.read() as session:
            try:
                model = await models.get_callable(
                    session, project_id=self._project_id, model_id=model_id
                )
            except NotFound:
                return _gone()
        return await self._gateway.answer(model, prompt, parameters, context=self._context)


async def _list_spenders(session: AsyncSession, wanted: Collection[UUID]) -> Collection[UUID]:
    return await Optimizations(session).list_spenders(wanted)


def _gone() -> Answer:
    failure = CallFailed(
        reason=FailureReason.MODEL_NOT_FOUND,
        message="The strategy's model was removed from the project.",
        is_retryable=False,
    )
    return unsent(failure)
