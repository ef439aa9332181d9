"""The notification centre: each user's own notifications, by the channels they chose."""

from fastapi import FastAPI

from edison.kit import clock, ids
from edison.settings import Settings
from edison.workspace.accounts.models import User
from edison.workspace.mail.service import Email
from edison.workspace.notifications import service
from edison.workspace.notifications.models import EmailState, Notification, NotificationKind
from edison.workspace.notifications.schemas import News
from edison.workspace.projects.models import Project
from tests.factories.accounts import make_person
from tests.factories.projects import make_project
from tests.slices.notifications.conftest import Mailbox
from tests.support.browser import Browser

URL = "/api/v1/notifications"


async def tell(app: FastAPI, project: Project, kind: NotificationKind, *people: User) -> None:
    news = News(
        project_id=project.id,
        kind=kind,
        entity=("experiment", ids.new_id()),
        title=f"About {kind}",
        body="Something happened.",
    )
    async with app.state.database.write() as session:
        await service.notify(session, news, user_ids=[each.id for each in people])


async def titles(browser: Browser, **query: object) -> list[str]:
    response = await browser.get(URL, params=query)
    assert response.status_code == 200, response.text
    return [each["title"] for each in response.json()["items"]]


async def test_users_read_only_their_own_notifications(app: FastAPI) -> None:
    project = await make_project(app)
    ada, of_ada = await make_person(app)
    bob, of_bob = await make_person(app)
    await tell(app, project, NotificationKind.RUN_FINISHED, ada)
    await tell(app, project, NotificationKind.REVIEW_WAITING, ada, bob)
    assert await titles(of_ada) == ["About review_waiting", "About run_finished"]
    assert await titles(of_bob) == ["About review_waiting"]
    assert (await of_ada.get(f"{URL}/unread-count")).json() == {"count": 2}
    (mine, _) = (await of_ada.get(URL)).json()["items"]
    assert (await of_bob.post(f"{URL}/{mine['id']}/read")).status_code == 404
    for _ in range(2):
        assert (await of_ada.post(f"{URL}/{mine['id']}/read")).status_code == 204
    assert (await of_ada.get(f"{URL}/unread-count")).json() == {"count": 1}
    assert await titles(of_ada, is_unread=True) == ["About run_finished"]
    assert await titles(of_ada, kind="review_waiting") == ["About review_waiting"]
    assert (await of_ada.post(f"{URL}/read-all")).json() == {"count": 0}
    assert (await of_ada.get(f"{URL}/unread-count")).json() == {"count": 0}
    assert (await of_bob.get(f"{URL}/unread-count")).json() == {"count": 1}


async def test_users_choose_their_notifications(app: FastAPI) -> None:
    project = await make_project(app)
    ada, of_ada = await make_person(app)
    answer = (await of_ada.get(f"{URL}/preferences")).json()
    assert answer["is_email_available"] is False
    usual = answer["preferences"]
    assert {each["kind"] for each in usual} == {kind.value for kind in NotificationKind}
    assert all(each["in_app"] for each in usual)
    wanted = [
        {"kind": "run_finished", "in_app": False, "by_email": False},
        {"kind": "budget_alert", "in_app": False, "by_email": True},
    ]
    saved = await of_ada.put(f"{URL}/preferences", json={"preferences": wanted})
    assert saved.status_code == 200, saved.text
    kept = [each for each in saved.json()["preferences"] if each not in usual]
    assert kept == wanted
    await tell(app, project, NotificationKind.RUN_FINISHED, ada)
    assert await titles(of_ada) == []
    await tell(app, project, NotificationKind.BUDGET_ALERT, ada)
    assert (await of_ada.get(f"{URL}/unread-count")).json() == {"count": 0}


async def test_a_mail_goes_out_once(
    app: FastAPI, settings: Settings, smtp_port: int, mailbox: Mailbox
) -> None:
    project = await make_project(app)
    ada, _ = await make_person(app)
    channel = Email.of(
        settings.model_copy(
            update={"smtp_host": "127.0.0.1", "smtp_port": smtp_port, "smtp_security": "none"}
        )
    )
    async with app.state.database.write() as session:
        mails = [wanted_mail(project, ada), wanted_mail(project, ada, title="Two\nlines")]
        mails[1].part_type, mails[1].part_id = "suggestion", ids.new_id()
        session.add_all(mails)
    for _ in range(2):
        await service.send_mails(app.state.database, channel, site="https://edison.example.org")
    assert mailbox.recipients == [ada.email] * 2
    assert [message["Subject"] for message in mailbox.messages] == ["A review waits", "Two lines"]
    site = f"https://edison.example.org/p/{project.id}"
    links = [f"{site}/experiments/{mails[0].entity_id}", f"{site}/reviews/{mails[1].part_id}"]
    for message, link in zip(mailbox.messages, links, strict=True):
        assert f"\n{link}\n" in message.get_content().replace("\r\n", "\n")
    async with app.state.database.read() as session:
        assert await service.list_missing_jobs(session) == []


def wanted_mail(project: Project, person: User, title: str = "A review waits") -> Notification:
    return Notification(
        id=ids.new_id(),
        user_id=person.id,
        project_id=project.id,
        kind=NotificationKind.REVIEW_WAITING,
        entity_type="experiment",
        entity_id=ids.new_id(),
        title=title,
        body="Approve, edit or reject with a reason.",
        email_state=EmailState.WANTED,
        created_at=clock.now(),
    )
