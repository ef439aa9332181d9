"""The author of a run is notified when it is over, on request; destinations, if they subscribe."""

from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.runs.store.states import RunState
from edison.runs.store.transitions import move
from edison.workspace.accounts.models import User
from edison.workspace.deliveries.models import Delivery
from tests.factories.projects import make_project
from tests.factories.runs import add_run
from tests.support.browser import Browser

URL = "/api/v1/notifications"
# Origin, state, failed answers of two, and the kind that is sent.
CASES = [
    ("api", RunState.COMPLETED, 0, "run_completed"),
    ("api", RunState.COMPLETED, 1, "run_completed"),
    ("arena", RunState.COMPLETED, 2, "run_failed"),
    ("api", RunState.FAILED, 0, "run_failed"),
    ("api", RunState.CANCELLED, 0, None),
    ("playground", RunState.COMPLETED, 0, None),
]


async def test_an_ended_run_notifies_its_author_and_destinations(
    app: FastAPI, person: tuple[User, Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("edison.jobs.job.request", lambda session, job: None)
    monkeypatch.setattr("edison.app.tasks.all_sweepers", lambda _: ())
    user, ada = person
    project = await make_project(app, user)
    body = {
        "channel": "webhook",
        "name": "Hook",
        "address": "https://example.org/",
        "kinds": ["run_completed", "run_failed"],
    }
    await ada.post(f"/api/v1/projects/{project.slug}/destinations", json=body)
    await end_runs(app, project.id, user)
    # Users choose to be notified; without a choice they are not.
    assert (await ada.get(URL)).json()["items"] == []
    wanted = [{"kind": kind, "in_app": True, "by_email": False} for kind in body["kinds"]]
    await ada.put(f"{URL}/preferences", json={"preferences": wanted})
    await end_runs(app, project.id, user)
    expected = [kind for *_, kind in CASES if kind is not None]
    shown = (await ada.get(URL)).json()["items"]
    assert [each["kind"] for each in reversed(shown)] == expected
    assert shown[0]["path"] == f"/p/{project.id}/runs/{shown[0]['entity_id']}"
    async with app.state.database.read() as session:
        sent = (await session.scalars(select(Delivery).order_by(Delivery.id))).all()
    assert [each.kind for each in sent] == expected * 2
    assert sent[1].payload["facts"] == {
        "state": "completed",
        "answers": 1,
        "failed": 1,
        "cost_usd": "1.50",
    }


async def end_runs(app: FastAPI, project_id: UUID, user: User) -> None:
    for origin, state, failed, _ in CASES:
        async with app.state.database.write() as session:
            run = await add_run(
                session,
                project_id,
                origin=origin,
                state=RunState.AGGREGATING,
                cell_count=2,
                done_count=2,
                error_count=failed,
                cost_nanos=1_500_000_000,
                author_id=user.id,
            )
            await session.flush()
            assert await move(session, run, state) is not None
