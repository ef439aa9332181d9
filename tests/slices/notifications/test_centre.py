"""The notification centre: each user's own notifications, by the channels they chose."""

from fastapi import FastAPI

from edison.kit import ids
from edison.loops.experiments.notifications import REVIEW_WAITING, RUN_FINISHED
from edison.workspace.accounts.models import User
from edison.workspace.budgets.types import BUDGET_ALERT
from edison.workspace.notifications import kinds, service
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind
from edison.workspace.projects.models import Project
from tests.factories.accounts import make_person
from tests.factories.projects import make_project
from tests.support.browser import Browser

URL = "/api/v1/notifications"


async def tell(app: FastAPI, project: Project, kind: NotificationKind, *people: User) -> None:
    news = News(
        project_id=project.id,
        kind=kind,
        entity=("experiment", ids.new_id()),
        title=f"About {kind.key}",
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
    await tell(app, project, RUN_FINISHED, ada)
    await tell(app, project, REVIEW_WAITING, ada, bob)
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
    assert {each["kind"] for each in usual} == {kind.key for kind in kinds.list_kinds()}
    assert not any(each["in_app"] for each in usual if each["kind"].startswith("run_c"))
    wanted = [
        {"kind": "run_finished", "in_app": False, "by_email": False},
        {"kind": "budget_alert", "in_app": False, "by_email": True},
    ]
    saved = await of_ada.put(f"{URL}/preferences", json={"preferences": wanted})
    assert saved.status_code == 200, saved.text
    kept = [each for each in saved.json()["preferences"] if each not in usual]
    assert kept == wanted
    await tell(app, project, RUN_FINISHED, ada)
    assert await titles(of_ada) == []
    await tell(app, project, BUDGET_ALERT, ada)
    assert (await of_ada.get(f"{URL}/unread-count")).json() == {"count": 0}


async def test_kinds_are_declared_once_with_labels_and_links(app: FastAPI) -> None:
    project = await make_project(app)
    ada, of_ada = await make_person(app)
    listed = (await of_ada.get(f"{URL}/kinds")).json()["items"]
    assert {each["kind"] for each in listed} >= {
        "review_waiting",
        "partial_failure",
        "budget_alert",
        "run_finished",
        "experiment_ended",
        "run_completed",
        "run_failed",
        "destination_disabled",
        "role_changed",
    }
    assert all(each["label"] and each["hint"] and each["icon"] for each in listed)
    experiment, iteration, suggestion = ids.new_id(), ids.new_id(), ids.new_id()
    paths = {
        ("experiment", experiment, None): f"/experiments/{experiment}",
        ("experiment", experiment, ("iteration", iteration)): (
            f"/experiments/{experiment}/iterations/{iteration}"
        ),
        ("experiment", experiment, ("suggestion", suggestion)): f"/reviews/{suggestion}",
        ("budget", ids.new_id(), None): "/budgets",
        ("run", experiment, None): f"/runs/{experiment}",
        ("unknown", ids.new_id(), None): "",
    }
    for (entity_type, entity_id, part), path in paths.items():
        news = News(
            project_id=project.id,
            kind=REVIEW_WAITING,
            entity=(entity_type, entity_id),
            part=part,
            title="Title",
            body="Body",
        )
        async with app.state.database.write() as session:
            await service.notify(session, news, user_ids=[ada.id])
        newest = (await of_ada.get(URL)).json()["items"][0]
        assert newest["path"] == f"/p/{project.id}{path}"


async def test_an_unknown_kind_is_refused(app: FastAPI) -> None:
    _, of_ada = await make_person(app)
    wanted = [{"kind": "weather", "in_app": True, "by_email": True}]
    refused = await of_ada.put(f"{URL}/preferences", json={"preferences": wanted})
    assert refused.status_code == 400
    assert refused.json()["error"]["path"] == "preferences.0.kind"
    assert (await of_ada.get(URL, params={"kind": "weather"})).status_code == 400
