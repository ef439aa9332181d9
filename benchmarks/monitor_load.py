"""Monitors of a busy installation: 200 that are due at the same second, the trend of one with
10,000 checks, and the delivery of alerts.
"""

import asyncio
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import aiohttp
from sqlalchemy import func, insert, select, update

from benchmarks.alert_delivery import measure_delivery
from benchmarks.api_latency import get, latencies, load
from benchmarks.engine_installation import Installation, installed
from benchmarks.figures import Figure
from edison.kit import clock, ids
from edison.loops.monitors.models import Monitor, MonitorCheck

MONITORS = 200
CHECKS = 10_000
CASES = 32
CLAIM_SECONDS = 10
TRENDS_PER_SECOND = 3
GOALS = {0.95: 0.1}
# Due in the future, so that the scheduler is not measured while it is being filled.
DUE_AFTER = timedelta(seconds=5)
WAIT_SECONDS = 900


def measure_load() -> list[Figure]:
    with installed() as edison:
        monitors = _add_monitors(edison)
        claimed = asyncio.run(_claim(edison))
        asyncio.run(_fill(edison, UUID(monitors[0])))
        samples = asyncio.run(_read(edison, monitors[0]))
        trend = latencies(f"Trend of {CHECKS:,} checks", samples, goals=GOALS)
        return [claimed, *trend, measure_delivery(edison)]


def _add_monitors(edison: Installation) -> list[str]:
    project = "/projects/bench"
    credential = edison.ask("POST", f"{project}/credentials", provider="sim", label="Simulation")
    model = edison.ask(
        "POST", f"{project}/models", credential_id=credential["id"], provider_model="sim-small"
    )
    prompt = f"{project}/prompts/{edison.prompt_id}"
    draft = edison.ask("GET", prompt)["draft"]
    version = edison.ask(
        "POST", f"{prompt}/versions", version=draft["version"], changelog="First version."
    )
    edison.ask("PUT", f"{prompt}/production", version_id=version["id"])
    dataset_id = edison.dataset_of(CASES)
    return [
        edison.ask(
            "POST",
            f"{project}/monitors",
            name=f"Monitor {number}",
            prompt_id=edison.prompt_id,
            dataset_id=dataset_id,
            models=[{"model_id": model["id"]}],
            scorers=[{"kind": "contains", "options": {"phrases": ["Paris"]}}],
            cron="0 0 1 1 *",
        )["id"]
        for number in range(MONITORS)
    ]


async def _claim(edison: Installation) -> Figure:
    """Seconds from the due time to the last of the checks that it caused."""
    async with edison.database() as database:
        due = clock.now() + DUE_AFTER
        async with database.write() as session:
            await session.execute(update(Monitor).values(next_run_at=due))
        until = time.monotonic() + WAIT_SECONDS
        found, last = 0, due
        while found < MONITORS:
            assert time.monotonic() < until, f"{found} of {MONITORS} monitors fired"
            await asyncio.sleep(0.5)
            async with database.read() as session:
                found, last = await _count(session, due)
    seconds = (last - due).total_seconds()
    return Figure(
        name=f"{MONITORS} monitors due at once, until all are claimed",
        value=f"{seconds:.1f} s",
        target=f"≤ {CLAIM_SECONDS} s",
        is_met=seconds <= CLAIM_SECONDS,
    )


async def _count(session: Any, due: datetime) -> tuple[int, datetime]:
    row = await session.execute(
        select(func.count(), func.max(MonitorCheck.created_at)).where(
            MonitorCheck.scheduled_for == due
        )
    )
    found, last = row.one()
    return found, last or due


async def _fill(edison: Installation, monitor_id: UUID) -> None:
    """Copies a measured check, once all checks have ended."""
    async with edison.database() as database:
        row = None
        until = time.monotonic() + WAIT_SECONDS
        while row is None:
            assert time.monotonic() < until, "no check was measured"
            await asyncio.sleep(0.5)
            async with database.read() as session:
                active = select(func.count()).where(MonitorCheck.active_key.is_not(None))
                if await session.scalar(active):
                    continue
                row = (
                    await session.execute(
                        select(MonitorCheck.__table__).where(
                            MonitorCheck.monitor_id == monitor_id, MonitorCheck.state == "done"
                        )
                    )
                ).one_or_none()
        copied = dict(row._mapping)
        async with database.write() as session:
            for first in range(0, CHECKS, 1_000):
                await session.execute(
                    insert(MonitorCheck),
                    [_copy(copied, number) for number in range(first, first + 1_000)],
                )


def _copy(row: dict[str, Any], number: int) -> dict[str, Any]:
    earlier = row["scheduled_for"] - timedelta(minutes=15) * (number + 1)
    return row | {"id": ids.new_id(), "number": number + 2, "scheduled_for": earlier}


async def _read(edison: Installation, monitor_id: str) -> list[float]:
    samples: list[float] = []
    loop = asyncio.get_running_loop()
    headers = {"Authorization": edison.client.headers["Authorization"]}
    async with aiohttp.ClientSession(base_url=edison.url, headers=headers) as client:

        async def ask() -> None:
            begun = loop.time()
            await get(client, f"/api/v1/projects/bench/monitors/{monitor_id}/trend?days=all")
            samples.append(loop.time() - begun)

        await ask()
        samples.clear()
        await load(ask, per_second=TRENDS_PER_SECOND)
    return samples
