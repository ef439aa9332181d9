"""Judged questions: the weak ones first, and quality per generator. Read-only.

A run that judges questions is a run whose answers are the questions, so that the statistics are
those of any run; this view adds the questions' generators and their state in the dataset.
"""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

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
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.lazy_numpy import np
from edison.library.generation import service as generation
from edison.library.generation.types import CaseGenerator
from edison.library.models.names import find_names
from edison.pipeline.aggregate.estimate import estimate_means
from edison.pipeline.aggregate.table import Bools, Floats, Ints
from edison.pipeline.score.question_criteria import QUESTION_CRITERIA
from edison.runs.read.schemas import RunDetail
from edison.runs.results import service as results
from edison.runs.results.schemas.statistics import MeanRead
from edison.runs.results.types import RunArrays
from edison.runs.store.states import QUESTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """A run that judged questions, and its figures by position."""

    run: RunDetail
    figures: RunArrays

    @property
    def scores(self) -> Floats:
        """NaN without a verdict."""
        return self.figures.composites[:, 0]

    @property
    def is_weak(self) -> Bools:
        return np.nan_to_num(self.scores, nan=1.0) < WEAK_BELOW


@dataclass(frozen=True, slots=True, kw_only=True)
class _Authors:
    """The cases of questions and the keys of their generators, both by position."""

    cases: dict[int, AskedCase]
    keys: dict[int, str]
    generators: dict[str, CaseGenerator | str]


def list_criteria() -> list[DefaultCriterionRead]:
    return [DefaultCriterionRead.model_validate(each.model_dump()) for each in QUESTION_CRITERIA]


async def get_report(database: Database, *, project_id: UUID, run_id: UUID) -> QuestionReport:
    """Raises NoQuestionsJudged."""
    judged = await _read(database, project_id, run_id)
    async with database.read() as session:
        authors = await _find_authors(session, judged.run)
    generators = await asyncio.to_thread(_by_generator, judged, authors)
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
    figures, first = judged.figures, _first(page.cursor)
    end = first + page.limit
    async with database.read() as session:
        rows = QuestionRows(session)
        # All authors are read only where the page depends on them.
        authors = None if wanted.generator is None else await _find_authors(session, judged.run)
        ranked = _rank(judged, wanted, authors)
        chosen = [int(at) for at in ranked[first:end]]
        if authors is None:
            authors = await _find_authors(session, judged.run, chosen)
        questions = await rows.find_questions(run_id, chosen)
        output_ids = [each.output_id for each in questions.values() if each.output_id is not None]
        verdicts = await rows.list_verdicts(output_ids)
        models = await find_names(session, project_id=project_id)
    details = QuestionDetails(
        run=judged.run,
        cases=figures.cases,
        scores=judged.scores,
        apart=figures.disagreement[:, 0],
        criteria={
            each.name: (
                each.weight,
                figures.criteria[:, 0, figures.layout.criterion_places[each.key]].astype(
                    np.float64
                ),
            )
            for each in figures.layout.criteria.values()
        },
        questions=questions,
        verdicts=verdicts,
        models=models,
    )
    return Slice(
        items=read_questions(
            details,
            [(at, authors.cases[at], authors.keys[at]) for at in chosen if at in questions],
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
    _, figures = await results.read_run(database, project_id=project_id, run_id=run_id)
    return _Judged(run=run, figures=figures)


async def _find_authors(
    session: AsyncSession, run: RunDetail, positions: Sequence[int] | None = None
) -> _Authors:
    """Of all questions of the run, or of those at these positions."""
    cases = await QuestionRows(session).list_cases(run.id, positions)
    known: Mapping[UUID, CaseGenerator] = {}
    if run.dataset_id is not None:
        case_ids = [case.case_id for case in cases.values() if case.case_id is not None]
        known = await generation.find_generators(
            session,
            dataset_id=run.dataset_id,
            case_ids=None if positions is None else case_ids,
        )
    generators: dict[str, CaseGenerator | str] = {}
    keys: dict[int, str] = {}
    for at, case in cases.items():
        written_by = None if case.case_id is None else known.get(case.case_id)
        by: CaseGenerator | str = written_by or case.origin or "deleted"
        keys[at] = by if isinstance(by, str) else by.key
        generators.setdefault(keys[at], by)
    return _Authors(cases=cases, keys=keys, generators=generators)


def _rank(judged: _Judged, wanted: QuestionFilter, authors: _Authors | None) -> Ints:
    """Positions; questions without a verdict come last."""
    places = np.arange(len(judged.scores))
    figures = {
        "weakest": judged.scores,
        "disagreement": -judged.figures.disagreement[:, 0],
        "position": places.astype(np.float64),
    }
    ranked = np.argsort(np.nan_to_num(figures[wanted.order], nan=np.inf), kind="stable")
    fits = np.ones(len(places), dtype=bool)
    if wanted.is_weak is not None:
        fits &= judged.is_weak == wanted.is_weak
    if authors is not None:
        keys = authors.keys
        fits &= np.array([keys.get(at) == wanted.generator for at in range(len(places))])
    return ranked[fits[ranked]]


def _by_generator(judged: _Judged, authors: _Authors) -> list[GeneratorRead]:
    """The best first. Each question counts once, so that its judges are no independent evidence."""
    found = []
    judges = _judge_ids(judged.run)
    keys = np.array([authors.keys.get(at, "") for at in range(len(judged.scores))])
    for key, by in authors.generators.items():
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


def _criterion(figures: RunArrays, key: str) -> Floats:
    return figures.criteria[:, 0, figures.layout.criterion_places[key]].astype(np.float64)
