"""Judged questions: the weak ones first, and quality per generator. Read-only.

A run that judges questions is a run whose answers are the questions, so that the statistics are
those of any run; this view adds the questions' generators and their state in the dataset.
"""

import asyncio
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from edison.api.pagination import PageRequest, Slice
from edison.db.session import Database
from edison.insights.questions.errors import NoQuestionsJudged
from edison.insights.questions.repository import AskedCase, QuestionRows
from edison.insights.questions.schemas import (
    WEAK_BELOW,
    DefaultCriterionRead,
    GeneratorRead,
    JudgedQuestion,
    QuestionFilter,
    QuestionReport,
)
from edison.insights.questions.view import QuestionDetails, read_questions
from edison.kit.errors import FieldProblem, Invalid
from edison.library.generation import service as generation
from edison.library.generation.types import CaseGenerator
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.table import Bools, Floats, Ints
from edison.pipeline.score.question_criteria import QUESTION_CRITERIA
from edison.runs.read.schemas import RunDetail
from edison.runs.results import service as results
from edison.runs.results.schemas.statistics import MeanRead
from edison.runs.store.states import QUESTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """By position: scores, NaN without a verdict; how far judges are apart; the generator's key."""

    run: RunDetail
    scores: Floats
    apart: Floats
    cases: list[AskedCase]
    generators: dict[str, CaseGenerator | str]
    keys: list[str]

    @property
    def is_weak(self) -> Bools:
        return np.nan_to_num(self.scores, nan=1.0) < WEAK_BELOW


def list_criteria() -> list[DefaultCriterionRead]:
    return [DefaultCriterionRead.model_validate(each.model_dump()) for each in QUESTION_CRITERIA]


async def get_report(database: Database, *, project_id: UUID, run_id: UUID) -> QuestionReport:
    """Raises NoQuestionsJudged."""
    judged = await _read(database, project_id, run_id)
    generators = await asyncio.to_thread(_by_generator, judged)
    is_judged = ~np.isnan(judged.scores)
    return QuestionReport(
        run_id=run_id,
        dataset_id=judged.run.dataset_id,
        questions=len(judged.scores),
        judged=int(is_judged.sum()),
        unjudged=int((~is_judged).sum()),
        weak=int(judged.is_weak.sum()),
        weak_below=WEAK_BELOW,
        score=_mean(judged.scores),
        generators=generators,
    )


async def list_questions(
    database: Database, *, project_id: UUID, run_id: UUID, wanted: QuestionFilter, page: PageRequest
) -> Slice[JudgedQuestion]:
    """Raises NoQuestionsJudged. A cursor is the number of questions before the page."""
    judged = await _read(database, project_id, run_id)
    ranked = _rank(judged, wanted)
    first = _first(page.cursor)
    end = first + page.limit
    chosen = [int(at) for at in ranked[first:end]]
    digest = await results.digest_run(database, project_id=project_id, run_id=run_id)
    async with database.read() as session:
        rows = QuestionRows(session)
        questions = await rows.find_questions(run_id, chosen)
        output_ids = [each.output_id for each in questions.values() if each.output_id is not None]
        verdicts = await rows.list_verdicts(output_ids)
        names = await rows.find_model_names(project_id)
    details = QuestionDetails(
        run=judged.run,
        cases=digest.cases,
        scores=judged.scores,
        apart=judged.apart,
        criteria={
            each.name: (
                each.weight,
                digest.criteria[:, 0, digest.layout.criterion_places[each.key]].astype(np.float64),
            )
            for each in digest.layout.criteria.values()
        },
        questions=questions,
        verdicts=verdicts,
        names=names,
    )
    return Slice(
        items=read_questions(
            details,
            [(at, judged.cases[at], judged.keys[at]) for at in chosen if at in questions],
        ),
        next=str(end) if end < len(ranked) else None,
        total=len(ranked),
    )


def _first(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 6:
        message = "This page link does not fit the list; start again from the first page."
        raise Invalid(FieldProblem(field="cursor", message=message, code="bad_cursor"))
    return int(cursor)


async def _read(database: Database, project_id: UUID, run_id: UUID) -> _Judged:
    run = await results.get_run(database, project_id, run_id)
    if run.origin != QUESTIONS:
        raise NoQuestionsJudged
    digest = await results.digest_run(database, project_id=project_id, run_id=run_id)
    async with database.read() as session:
        cases = await QuestionRows(session).list_cases(run_id)
        known = (
            {}
            if run.dataset_id is None
            else await generation.find_generators(session, dataset_id=run.dataset_id)
        )
    generators: dict[str, CaseGenerator | str] = {}
    keys = []
    for case in cases:
        written_by = None if case.case_id is None else known.get(case.case_id)
        by: CaseGenerator | str = written_by or case.origin or "deleted"
        key = by if isinstance(by, str) else by.key
        generators.setdefault(key, by)
        keys.append(key)
    return _Judged(
        run=run,
        scores=digest.composites[:, 0],
        apart=digest.disagreement[:, 0],
        cases=cases,
        generators=generators,
        keys=keys,
    )


def _rank(judged: _Judged, wanted: QuestionFilter) -> Ints:
    """Positions; questions without a verdict come last."""
    places = np.arange(len(judged.scores))
    figures = {
        "weakest": judged.scores,
        "disagreement": -judged.apart,
        "position": places.astype(np.float64),
    }
    ranked = np.argsort(np.nan_to_num(figures[wanted.order], nan=np.inf), kind="stable")
    fits = np.ones(len(places), dtype=bool)
    if wanted.is_weak is not None:
        fits &= judged.is_weak == wanted.is_weak
    if wanted.generator is not None:
        fits &= np.array([key == wanted.generator for key in judged.keys], dtype=bool)
    return ranked[fits[ranked]]


def _by_generator(judged: _Judged) -> list[GeneratorRead]:
    """The best first. Each question counts once, so that its judges are no independent evidence."""
    found = []
    judges = _judge_ids(judged.run)
    keys = np.array(judged.keys)
    for key, by in judged.generators.items():
        is_own = keys == key
        model = None if isinstance(by, str) else by
        found.append(
            GeneratorRead(
                key=key,
                model_id=None if model is None else model.model_id,
                name=None if model is None else model.name,
                origin=by if isinstance(by, str) else None,
                questions=int(is_own.sum()),
                weak=int((judged.is_weak & is_own).sum()),
                score=_mean(judged.scores[is_own]),
                is_judge=model is not None and model.model_id in judges,
            )
        )
    return sorted(found, key=lambda each: -(each.score.value or 0.0))


def _judge_ids(run: RunDetail) -> set[UUID | None]:
    return {
        UUID(str(model_id))
        for each in run.scorers
        for model_id in (each.options.get("model_id"), *(each.options.get("judges") or ()))
        if model_id is not None
    }


def _mean(scores: Floats) -> MeanRead:
    (estimate,) = estimate_means(scores[:, None])
    return MeanRead.model_validate(estimate)
