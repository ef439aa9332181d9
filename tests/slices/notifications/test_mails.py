"""Emails about notifications: sent after the commit, retried, never lost."""

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import ids
from edison.loops.experiments.notifications import REVIEW_WAITING, RUN_FINISHED
from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.deliveries import dispatch
from edison.workspace.deliveries.models import Delivery
from edison.workspace.deliveries.transport import Transport
from edison.workspace.notifications import service
from edison.workspace.notifications.schemas import News
from edison.workspace.projects.models import Project
from tests.conftest import TurnableClock
from tests.factories.projects import make_project
from tests.slices.notifications.conftest import Mailbox
from tests.support.browser import Browser


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """No job runs by itself."""
    monkeypatch.setattr("edison.jobs.job.request", lambda session, job: None)
    monkeypatch.setattr("edison.app.tasks.all_sweepers", lambda _: ())


@pytest.fixture
def settings(settings: Settings, smtp_port: int) -> Settings:
    return settings.model_copy(
        update={
            "smtp_host": "127.0.0.1",
            "smtp_port": smtp_port,
            "smtp_security": "none",
            "public_url": "https://edison.example.org",
        }
    )


@pytest.fixture
async def project(app: FastAPI, person: tuple[User, Browser]) -> Project:
    return await make_project(app, person[0])


async def notify(app: FastAPI, project: Project, title: str = "A review waits") -> None:
    news = News(
        project_id=project.id,
        kind=REVIEW_WAITING,
        entity=("experiment", ids.new_id()),
        part=("suggestion", ids.new_id()),
        title=title,
        body="Approve, edit or reject with a reason.",
    )
    async with app.state.database.write() as session:
        await service.notify_members(session, news)


async def deliver(app: FastAPI, **changes: object) -> None:
    settings = app.state.settings.model_copy(update=changes)
    transport = Transport.of(app.state.vault, settings)
    await dispatch.deliver_due(app.state.database, transport, destination_id=None)


async def states(app: FastAPI) -> list[tuple[str, int]]:
    async with app.state.database.read() as session:
        found = await session.scalars(select(Delivery).order_by(Delivery.id))
        return [(each.state, each.attempts) for each in found]


async def test_a_mail_goes_out_once_with_its_link(
    app: FastAPI, project: Project, mailbox: Mailbox
) -> None:
    await notify(app, project, title="Two\nlines")
    for _ in range(2):
        await deliver(app)
    (message,) = mailbox.messages
    assert mailbox.recipients == ["ada@example.org"]
    assert message["Subject"] == "Two lines"
    assert message["Message-ID"].startswith("<msg_")
    content = message.get_content().replace("\r\n", "\n")
    assert f"\nhttps://edison.example.org/p/{project.id}/reviews/" in content
    assert await states(app) == [("delivered", 1)]


async def test_a_failed_mail_is_retried(
    app: FastAPI, project: Project, mailbox: Mailbox, turnable_clock: TurnableClock
) -> None:
    mailbox.answer = "451 later"
    await notify(app, project)
    await deliver(app)
    assert await states(app) == [("waiting", 1)]
    mailbox.answer = "250 kept"
    await deliver(app)
    assert mailbox.messages == []
    turnable_clock.advance(seconds=12)
    await deliver(app)
    assert len(mailbox.messages) == 1
    assert await states(app) == [("delivered", 2)]


async def test_a_refused_mail_does_not_delay_the_others(
    app: FastAPI, project: Project, mailbox: Mailbox
) -> None:
    mailbox.answer = "554 no thanks"
    await notify(app, project)
    await notify(app, project)
    await deliver(app)
    assert await states(app) == [("waiting", 1), ("waiting", 1)]


async def test_an_unreachable_mail_server_is_tried_once_for_all(
    app: FastAPI, project: Project
) -> None:
    await notify(app, project)
    await notify(app, project)
    await deliver(app, smtp_port=1)
    assert sorted(await states(app)) == [("waiting", 0), ("waiting", 1)]


async def test_without_a_mail_server_nothing_waits(app: FastAPI, project: Project) -> None:
    await notify(app, project)
    await deliver(app, smtp_host=None)
    assert await states(app) == [("cancelled", 0)]


async def test_users_who_want_no_mail_get_none(
    app: FastAPI, project: Project, person: tuple[User, Browser]
) -> None:
    news = News(
        project_id=project.id,
        kind=RUN_FINISHED,
        entity=("experiment", ids.new_id()),
        title="Scored",
        body="Done.",
    )
    async with app.state.database.write() as session:
        await service.notify(session, news, user_ids=[person[0].id])
    assert await states(app) == []


async def test_an_email_destination_gets_messages(
    app: FastAPI, project: Project, ada: Browser, mailbox: Mailbox
) -> None:
    body = {
        "channel": "email",
        "name": "Team",
        "address": "Team@example.org",
        "kinds": ["review_waiting"],
    }
    url = f"/api/v1/projects/{project.slug}/destinations"
    saved = await ada.post(url, json=body)
    assert saved.status_code == 201, saved.text
    destination = saved.json()["destination"]
    assert destination["target"] == "Team@example.org"
    tested = await ada.post(f"{url}/{destination['id']}/test")
    assert tested.json()["state"] == "delivered"
    assert mailbox.recipients == ["Team@example.org"]
    refused = await ada.post(url, json=body | {"name": "Other", "address": "a@b.co\r\nBcc: c@d.e"})
    assert (refused.status_code, refused.json()["error"]["path"]) == (400, "address")
