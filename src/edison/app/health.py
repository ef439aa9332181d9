"""Liveness, readiness and metrics endpoints, for load balancers and Prometheus."""

import hmac
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Header, Request, Response, status
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from edison.api.routing import api_router
from edison.api.schema import Schema
from edison.api.session import CurrentSettings
from edison.app.engine.metrics import METRICS, expose_metrics
from edison.app.middleware.proxies import is_forwarded
from edison.app.usage_metrics import measure_usage
from edison.app.work_metrics import measure_work
from edison.db.current_schema import is_current
from edison.db.outages import is_outage
from edison.db.session import Database
from edison.jobs.batch_writer import BatchWriter
from edison.jobs.link import Link
from edison.kit import clock
from edison.kit.errors import NotFound
from edison.loops.monitors.checks import service as checks
from edison.settings import Settings
from edison.workspace.accounts.access import Anyone, is_loopback

router = api_router(tag="operation", root="", dependencies=[Anyone])


async def _background_database(request: Request) -> Database:
    """The pool of background work: a server whose requests wait for connections is busy, not
    unhealthy.
    """
    database: Database = request.app.state.background_database
    return database


BackgroundDatabase = Annotated[Database, Depends(_background_database)]


class SchedulerHealth(Schema):
    """`last_sweep_at` is when due monitors were last looked for, within a minute; `overdue` counts
    the monitors whose time has passed without a check.
    """

    status: str
    last_sweep_at: datetime | None
    overdue: int


class Health(Schema):
    """`scheduler` is null while the database is down or needs an upgrade."""

    status: str
    database: str
    scheduler: SchedulerHealth | None = None


class ServerReadiness(Schema):
    ready: bool
    reason: str | None = None


@router.get(
    "/api/health",
    responses={503: {"model": Health, "description": "Edison or its database is down."}},
)
async def read_health(
    database: BackgroundDatabase, settings: CurrentSettings, response: Response
) -> Health:
    """Health: 200 while the server and its database respond."""
    is_well = await _answers(database)
    if not is_well:
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return Health(
        status="ok" if is_well else "degraded",
        database="healthy" if is_well else "unhealthy",
        scheduler=await _read_scheduler(database, settings) if is_well else None,
    )


async def _read_scheduler(database: Database, settings: Settings) -> SchedulerHealth | None:
    """A late scheduler does not make the server unhealthy: restarting it would not help on
    PostgreSQL, where workers fire monitors.
    """
    try:
        async with database.read() as session:
            found = await checks.read_status(session)
    except Exception as error:
        # Before an upgrade the tables do not exist; readiness says so.
        if is_outage(error) or isinstance(error, DBAPIError):
            return None
        raise
    state = "late" if found.is_late(clock.now()) else "ok"
    return SchedulerHealth(
        status=state if settings.scheduling else "off",
        last_sweep_at=found.swept_at,
        overdue=found.overdue,
    )


@router.get(
    "/api/readiness", responses={503: {"model": ServerReadiness, "description": "Not ready."}}
)
async def read_readiness(
    request: Request, database: BackgroundDatabase, response: Response
) -> ServerReadiness:
    """Readiness: 200 when the server accepts requests."""
    batch_writer: BatchWriter = request.app.state.batch_writer
    reason = await _why_not_ready(database) or batch_writer.trouble
    if reason is not None:
        response.status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    return ServerReadiness(ready=reason is None, reason=reason)


@router.get("/metrics", include_in_schema=False)
async def read_metrics(
    request: Request,
    settings: CurrentSettings,
    database: BackgroundDatabase,
    authorization: Annotated[str | None, Header()] = None,
) -> Response:
    """Prometheus metrics, from this machine or with the configured token."""
    if not _may_read_metrics(request, settings, authorization):
        raise NotFound("Nothing found at this address.")
    await measure_work(database, request.app.state.queue)
    await measure_usage(database, settings.data_dir)
    engine: Link | None = request.app.state.engine
    of_engine = None if engine is None else await engine.ask(METRICS)
    return Response(expose_metrics(of_engine or ()), media_type=CONTENT_TYPE_LATEST)


def _may_read_metrics(request: Request, settings: Settings, authorization: str | None) -> bool:
    """Behind a proxy on the same machine every client looks local, so a token is required."""
    if settings.metrics_token is not None:
        expected = f"Bearer {settings.metrics_token.get_secret_value()}"
        return hmac.compare_digest((authorization or "").encode(), expected.encode())
    if settings.public_url or settings.trusted_proxies or is_forwarded(request.scope):
        return False
    return is_loopback(request.client.host if request.client else None)


async def _why_not_ready(database: Database) -> str | None:
    if not await _answers(database):
        return "The database does not answer."
    if await is_current(database.engine):
        return None
    from edison.db import migrate  # noqa: PLC0415 - slow to import, and hardly ever needed

    try:
        await migrate.read_state(database.engine)
    except (migrate.DatabaseIsNewer, migrate.DatabaseIsTooOld) as refusal:
        return refusal.message
    return "The database needs `edison db upgrade`."


async def _answers(database: Database) -> bool:
    try:
        async with database.read() as session:
            await session.execute(text("SELECT 1"))
    except Exception as error:
        if is_outage(error):
            return False
        raise
    return True
