"""Access ended by a changed password or by revoking sessions and tokens."""

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts import confirmation
from edison.workspace.accounts.models import EmailConfirmation, User
from tests.factories.accounts import sign_in
from tests.factories.projects import make_project
from tests.support.browser import Browser, error_of, fields_of

NEW = "Difference-Engine-1822!"


async def make_token(browser: Browser, **more: object) -> dict[str, str]:
    response = await browser.post("/api/v1/auth/tokens", json={"name": "t", **more})
    assert response.status_code == 201, response.text
    return {"Authorization": f"Bearer {response.json()['token']}"}


@pytest.mark.parametrize("end_tokens", [False, True])
async def test_a_new_password_ends_other_sessions_and_optionally_tokens(
    app: FastAPI, person: tuple[User, Browser], end_tokens: bool
) -> None:
    user, ada = person
    other, token = await sign_in(app, user), await make_token(ada)
    body = {"new_password": NEW, "end_tokens": end_tokens}
    assert (await ada.put("/api/v1/auth/password", json=body)).status_code == 204
    assert (await ada.get("/api/v1/auth/me")).status_code == 200
    assert (await other.get("/api/v1/auth/me")).status_code == 401
    status = (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code
    assert status == (401 if end_tokens else 200)


async def test_a_new_password_keeps_the_confirmation_link_valid(
    app: FastAPI, person: tuple[User, Browser]
) -> None:
    user, ada = person
    async with app.state.database.write() as session:
        await confirmation.request_confirmation(session, user=user, site="http://edison.localhost")
    assert (await ada.put("/api/v1/auth/password", json={"new_password": NEW})).status_code == 204
    async with app.state.database.read() as session:
        assert await session.scalar(select(EmailConfirmation.user_id)) == user.id


async def test_all_tokens_end_at_once(app: FastAPI, ada: Browser) -> None:
    tokens = [await make_token(ada) for _ in range(3)]
    assert (await ada.delete("/api/v1/auth/tokens")).status_code == 204
    for token in tokens:
        assert (await Browser(app).get("/api/v1/auth/me", headers=token)).status_code == 401
    assert (await ada.get("/api/v1/auth/tokens")).json()["items"] == []


async def test_tokens_are_listed_with_last_use_and_projects(
    app: FastAPI, person: tuple[User, Browser]
) -> None:
    user, ada = person
    project = await make_project(app, user, name="Engine")
    await make_project(app, user, name="Other")
    limits = {"project_ids": [str(project.id)], "scope": "admin"}
    token = await make_token(ada, **limits)
    listed = await Browser(app, address="192.0.2.7").get("/api/v1/projects", headers=token)
    assert [each["name"] for each in listed.json()["items"]] == ["Engine"]
    (shown,) = (await ada.get("/api/v1/auth/tokens")).json()["items"]
    assert shown["projects"] == [{"id": str(project.id), "name": "Engine"}]
    assert shown["last_used_address"] == "192.0.2.7"
    assert shown["last_used_at"] is not None
    assert shown["expires_at"] is not None


async def test_a_token_of_a_deleted_project_has_no_access(
    app: FastAPI, person: tuple[User, Browser]
) -> None:
    user, ada = person
    project, other = await make_project(app, user), await make_project(app, user)
    token = await make_token(ada, project_ids=[str(project.id)])
    assert (await ada.delete(f"/api/v1/projects/{project.slug}")).status_code == 204
    asked = Browser(app)
    assert (await asked.get("/api/v1/projects", headers=token)).json()["items"] == []
    path = f"/api/v1/projects/{other.slug}"
    assert (await asked.get(path, headers=token)).status_code == 404


async def test_a_token_is_limited_to_own_projects_only(app: FastAPI, ada: Browser) -> None:
    foreign = await make_project(app)
    for wanted in ([str(foreign.id)], []):
        body = {"name": "t", "project_ids": wanted}
        refused = await ada.post("/api/v1/auth/tokens", json=body)
        assert {each.split(".")[0] for each in fields_of(refused)} == {"project_ids"}
        assert error_of(refused)["code"] == "VALIDATION_ERROR"
