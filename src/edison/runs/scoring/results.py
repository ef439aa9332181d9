"""Results of a queue: agreement between people, and scores by variant."""

import json
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from itertools import combinations
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.db.session import Database
from edison.kit.csv_text import encode_rows, guard
from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.agreement import Metric, krippendorff_alpha
from edison.runs.scoring import queues
from edison.runs.scoring.repository.answers import Answers, GivenScore
from edison.runs.scoring.schemas.queues import (
    AnnotatedVariant,
    AnnotationAgreement,
    AnnotationQueueRead,
    AnnotationResults,
    PersonProgress,
    SkipCount,
)
from edison.runs.scoring.schemas.scores import ScoringPerson
from edison.workspace.audit import service as audit

ROWS_AT_ONCE = 500
COLUMNS = (
    "item",
    "person",
    "question",
    "answer",
    "value",
    "comment",
    "scored_at",
    "run",
    "variant",
    "case",
    "inputs",
    "expected",
    "output",
)


async def read_results(
    session: AsyncSession, *, project_id: UUID, queue_id: UUID, user_id: UUID
) -> AnnotationResults:
    queue = await queues.get_queue(
        session, project_id=project_id, queue_id=queue_id, user_id=user_id
    )
    answers = Answers(session, queue_id)
    given = await answers.list_scores()
    return AnnotationResults(
        queue=queue,
        mean=_mean(each.value for each in given),
        agreement=agreement(given),
        people=_people(given),
        variants=_variants(given),
        skips=[SkipCount(reason=reason, count=n) for reason, n in await answers.count_skips()],
    )


def agreement(given: Sequence[GivenScore]) -> AnnotationAgreement:
    """Over all pairs of people who scored the same item. Criteria are compared separately."""
    by_item: dict[UUID, list[GivenScore]] = defaultdict(list)
    for each in given:
        by_item[each.item_id].append(each)
    shared = [several for several in by_item.values() if len(several) > 1]
    gaps = [
        gap
        for several in shared
        for one, other in combinations(several, 2)
        for gap in _gaps(one, other)
    ]
    return AnnotationAgreement(
        items=len(shared),
        pairs=len(gaps),
        share=sum(gap == 0 for gap in gaps) / len(gaps) if gaps else None,
        near_share=sum(gap <= 1 for gap in gaps) / len(gaps) if gaps else None,
        alpha=_alpha(shared),
    )


def _alpha(shared: Sequence[Sequence[GivenScore]]) -> float | None:
    """A unit is an output, or one criterion of it; raters are interchangeable."""
    units: dict[tuple[UUID, str | None], list[int]] = defaultdict(list)
    for several in shared:
        for each in several:
            answers = {None: each.answer} if each.answer is not None else (each.criteria or {})
            for criterion, answer in answers.items():
                units[each.item_id, criterion].append(answer)
    ratings = np.full((max(map(len, units.values()), default=0), len(units)), np.nan)
    for at, answers_of_unit in enumerate(units.values()):
        ratings[: len(answers_of_unit), at] = answers_of_unit
    return krippendorff_alpha(ratings, Metric.ORDINAL)


def _gaps(one: GivenScore, other: GivenScore) -> list[int]:
    if one.answer is not None and other.answer is not None:
        return [abs(one.answer - other.answer)]
    mine, theirs = one.criteria or {}, other.criteria or {}
    return [abs(mine[name] - theirs[name]) for name in mine.keys() & theirs.keys()]


def _people(given: Iterable[GivenScore]) -> list[PersonProgress]:
    by_person: dict[UUID | None, list[GivenScore]] = defaultdict(list)
    for each in given:
        by_person[each.user_id].append(each)
    people = [
        PersonProgress(
            person=_person(several[0]),
            answers=len(several),
            mean=_mean(each.value for each in several),
        )
        for several in by_person.values()
    ]
    return sorted(people, key=lambda each: -each.answers)


def _person(given: GivenScore) -> ScoringPerson | None:
    if given.user_id is None or given.email is None:
        return None
    return ScoringPerson(id=given.user_id, name=given.name or given.email)


def _variants(given: Iterable[GivenScore]) -> list[AnnotatedVariant]:
    """Scores are averaged per item first, so that all items count equally."""
    grouped: dict[tuple[UUID, int], dict[UUID, list[GivenScore]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for each in given:
        grouped[each.run_id, each.variant_position][each.item_id].append(each)
    found = []
    for items in grouped.values():
        first = next(iter(items.values()))[0]
        means = [_mean(each.value for each in several) for several in items.values()]
        found.append(
            AnnotatedVariant(
                run_id=first.run_id,
                run_name=first.run_name,
                variant=first.variant,
                items=len(items),
                mean=_mean(means),
            )
        )
    return sorted(found, key=lambda each: -(each.mean or 0.0))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


async def begin_export(
    database: Database, *, project_id: UUID, queue_id: UUID, user_id: UUID
) -> AnnotationQueueRead:
    """Writes the audit record of the export."""
    async with database.write() as session:
        queue = await queues.get_queue(
            session, project_id=project_id, queue_id=queue_id, user_id=user_id
        )
        audit.record(
            session,
            "annotation_queue.exported",
            entity=("annotation_queue", queue_id),
            project_id=project_id,
            after={"answers": queue.progress.answers},
        )
    return queue


async def stream_csv(database: Database, *, queue: AnnotationQueueRead) -> AsyncIterator[bytes]:
    """One line per answer; criteria are the last columns."""
    names = [criterion.name for criterion in queue.criteria or ()]
    yield _lines([[*COLUMNS, *(f"criterion: {name}" for name in names)]])
    async with (
        database.read() as session,
        aclosing(Answers(session, queue.id).stream(at_once=ROWS_AT_ONCE)) as pieces,
    ):
        async for rows in pieces:
            yield _lines(_cells(queue, names, given, texts) for given, texts in rows)


def _cells(
    queue: AnnotationQueueRead, names: Sequence[str], given: GivenScore, texts: Sequence[Any]
) -> list[Any]:
    position, comment, scored_at, case, inputs, expected, text = texts
    return [
        position + 1,
        given.name or given.email,
        queue.question,
        given.answer,
        given.value,
        comment,
        scored_at.isoformat(),
        given.run_name,
        given.variant,
        case + 1,
        json.dumps(inputs, ensure_ascii=False),
        expected,
        text,
        *((given.criteria or {}).get(name) for name in names),
    ]


def _lines(rows: Iterable[Sequence[Any]]) -> bytes:
    return encode_rows([guard("" if cell is None else str(cell)) for cell in row] for row in rows)
