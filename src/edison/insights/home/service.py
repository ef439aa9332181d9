"""A project's home page: what waits for the reader, prompts in production, first steps."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from edison.insights.home.repository import HomeQueries, MeasuredCheck, Waiting
from edison.insights.home.schemas import (
    MOST_ITEMS,
    TREND_CHECKS,
    CheckScore,
    HomeRead,
    ProductionRead,
    StepsRead,
    WaitingGroup,
    WaitingItem,
    WaitingKind,
    WatchedRead,
)
from edison.kit import clock
from edison.loops.monitors.models import Monitor
from edison.loops.monitors.states import MonitorState
from edison.runs.scoring import service as scoring
from edison.runs.voting import service as voting

# Failed runs are listed for this long.
FAILED_FOR = timedelta(days=7)


async def get_home(
    session: AsyncSession, *, project_id: UUID, user_id: UUID, may_review: bool
) -> HomeRead:
    """Reviews, votes and answers to score wait only for those who may do them."""
    queries = HomeQueries(session, project_id)
    since = clock.now() - FAILED_FOR
    found = {WaitingKind.FAILED_RUN: await queries.list_failed_runs(since, MOST_ITEMS)}
    if may_review:
        found = {
            WaitingKind.REVIEW: await queries.list_reviews(MOST_ITEMS),
            **found,
            WaitingKind.VOTING: _newest(
                await voting.list_open_rounds(session, project_id=project_id, user_id=user_id)
            ),
            WaitingKind.ANNOTATION: _newest(
                await scoring.list_open_queues(session, project_id=project_id, user_id=user_id)
            ),
        }
    return HomeRead(
        waiting=[
            WaitingGroup(
                kind=kind,
                count=count,
                items=[WaitingItem.model_validate(each._asdict()) for each in items],
            )
            for kind, (count, items) in found.items()
            if count
        ],
        production=await _list_production(queries),
        steps=StepsRead.model_validate(await queries.find_steps()),
    )


def _newest(found: Sequence[tuple[UUID, str, datetime, int]]) -> tuple[int, list[Waiting]]:
    """The number of rounds or queues, and those to list."""
    return len(found), [Waiting(*each) for each in found[:MOST_ITEMS]]


async def _list_production(queries: HomeQueries) -> list[ProductionRead]:
    found = await queries.list_production()
    # Of several monitors of a prompt, the newest.
    monitors = {
        monitor.prompt_id: (monitor, alerts)
        for monitor, alerts in await queries.list_monitors([prompt.id for prompt, _ in found])
    }
    checks: dict[UUID, list[MeasuredCheck]] = defaultdict(list)
    for check in await queries.list_checks(
        [monitor.id for monitor, _ in monitors.values()], last=TREND_CHECKS
    ):
        checks[check.monitor_id].append(check)
    return [
        ProductionRead(
            prompt_id=prompt.id,
            prompt_name=prompt.name,
            version_id=version.id,
            version_label=version.label,
            watched=None
            if prompt.id not in monitors
            else _watched(*monitors[prompt.id], checks[monitors[prompt.id][0].id]),
        )
        for prompt, version in found
    ]


def _watched(monitor: Monitor, open_alerts: int, checks: list[MeasuredCheck]) -> WatchedRead:
    return WatchedRead(
        monitor_id=monitor.id,
        name=monitor.name,
        state=MonitorState(monitor.state),
        open_alerts=open_alerts,
        checked_at=checks[-1].ended_at if checks else None,
        trend=[
            CheckScore(number=each.number, score=each.score, verdict=each.verdict)
            for each in checks
        ],
    )
