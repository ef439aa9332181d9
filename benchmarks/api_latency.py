"""Login and project list under a steady load, with 1,000 projects of 100 members each.

Open-loop load: requests are sent on a fixed schedule whether or not earlier ones have returned, so
a stall shows in the percentiles instead of reducing the load.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import bcrypt
from sqlalchemy import insert, select

from benchmarks.figures import Figure, milliseconds, percentile
from benchmarks.server import running_edison
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.kit import clock, ids
from edison.workspace.accounts import passwords
from edison.workspace.accounts.models import User
from edison.workspace.projects.models import Project, ProjectMember, ProjectSettings

PROJECTS = 1_000
MEMBERS = 100
REQUESTS_PER_SECOND = 50
SECONDS = 20
# A password check takes 0.25 s of CPU by design, so two cores cannot serve 50 per second.
LOGINS_PER_SECOND = 2
EMAIL, PASSWORD = "bench@example.org", "Analytical-Engine-1843!"


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        with running_edison(Path(folder)):
            pass
        asyncio.run(_fill(Path(folder)))
        with running_edison(Path(folder)) as edison:
            return asyncio.run(_measure(edison.url))


async def _fill(data_dir: Path) -> None:
    database = Database(open_engine(f"sqlite+aiosqlite:///{data_dir / 'edison.db'}", pooled=False))
    password_hash = await passwords.hash_password(PASSWORD)
    now = clock.now()
    async with database.write() as session:
        people = [
            {"id": ids.new_id(), "email": f"member{number}@example.org"}
            for number in range(MEMBERS - 1)
        ]
        me = {"id": ids.new_id(), "email": EMAIL, "password_hash": password_hash}
        await session.execute(insert(User), [me])
        await session.execute(insert(User), people)
        projects = [
            {"id": ids.new_id(), "slug": f"project-{number}", "name": f"Project {number}"}
            for number in range(PROJECTS)
        ]
        await session.execute(insert(Project), projects)
        await session.execute(
            insert(ProjectSettings),
            [{"project_id": project["id"], "updated_at": now} for project in projects],
        )
        for project in projects:
            rows = [
                {
                    "project_id": project["id"],
                    "user_id": person["id"],
                    "role": "OWNER" if person is me else "EDITOR",
                    "joined_at": now,
                }
                for person in [me, *people]
            ]
            await session.execute(insert(ProjectMember), rows)
        assert len((await session.scalars(select(Project.id))).all()) > PROJECTS
    await database.close()


async def _measure(url: str) -> list[Figure]:
    async with aiohttp.ClientSession(
        base_url=url, cookie_jar=aiohttp.CookieJar(unsafe=True)
    ) as client:
        logins = await load(
            lambda: _post(client, "/api/v1/auth/login", {"email": EMAIL, "password": PASSWORD}),
            per_second=LOGINS_PER_SECOND,
        )
        floor = await load(lambda: get(client, "/api/health"), per_second=REQUESTS_PER_SECOND)
        lists = await load(lambda: get(client, "/api/v1/projects"), per_second=REQUESTS_PER_SECOND)
        searches = await load(
            lambda: get(client, "/api/v1/projects?q=99&role=OWNER"), per_second=REQUESTS_PER_SECOND
        )
    return [
        *latencies(f"Login, {LOGINS_PER_SECOND}/s", logins, floor=_bcrypt_seconds(), of="bcrypt"),
        *latencies(f"Health, {REQUESTS_PER_SECOND}/s", floor),
        *latencies(
            f"Project list, {REQUESTS_PER_SECOND}/s",
            lists,
            floor=percentile(floor, 0.5),
            of="health p50",
            goals={0.95: 0.1, 0.99: 0.25},
        ),
        *latencies(
            f"Project search, {REQUESTS_PER_SECOND}/s",
            searches,
            floor=percentile(floor, 0.5),
            of="health p50",
            goals={0.95: 0.1, 0.99: 0.25},
        ),
    ]


async def load(call: Callable[[], Awaitable[None]], *, per_second: int) -> list[float]:
    samples: list[float] = []

    async def timed(due: float) -> None:
        await asyncio.sleep(due - time.perf_counter())
        await call()
        samples.append(time.perf_counter() - due)

    start = time.perf_counter()
    count = per_second * SECONDS
    await asyncio.gather(*(timed(start + number / per_second) for number in range(count)))
    return samples


async def get(client: aiohttp.ClientSession, path: str) -> None:
    async with client.get(path) as response:
        assert response.status == 200, await response.text()
        await response.read()


async def _post(client: aiohttp.ClientSession, path: str, body: dict[str, str]) -> None:
    async with client.post(path, json=body) as response:
        assert response.status == 200, await response.text()
        await response.read()


def _bcrypt_seconds() -> float:
    started = time.perf_counter()
    bcrypt.hashpw(b"x", bcrypt.gensalt(passwords.COST))
    return time.perf_counter() - started


def latencies(
    name: str,
    samples: list[float],
    *,
    floor: float | None = None,
    of: str = "",
    goals: dict[float, float] | None = None,
) -> list[Figure]:
    figures = []
    for share in (0.5, 0.95, 0.99):
        value = percentile(samples, share)
        goal = (goals or {}).get(share)
        figures.append(
            Figure(
                name=f"{name}, p{share * 100:.0f}",
                value=milliseconds(value),
                ratio="" if floor is None else f"{value / floor:.1f} x {of}",
                target="" if goal is None else f"< {milliseconds(goal)}",
                is_met=None if goal is None else value < goal,
            )
        )
    return figures
