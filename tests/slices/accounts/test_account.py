"""Profile, password, personal access tokens, and the sign-in link of the first start."""

import asyncio

import pytest
from fastapi import FastAPI

from edison.workspace.accounts import sign_in_links
from edison.workspace.accounts.models import User
from tests.conftest import TurnableClock
from tests.factories.accounts import make_person, make_user, sign_in
from tests.support.browser import Browser, error_of, fields_of

ME = "/api/v1/auth/me"
TOKENS = "/api/v1/auth/tokens"
LINK = "/api/v1/auth/sign-in-link"
OLD, NEW = "Analytical-Engine-1843!", "Difference-Engine-1822!"


async def test_the_tour_is_seen_wherever_the_person_signs_in(ada: Browser) -> None:
    assert (await ada.get(ME)).json()["user"]["has_seen_tour"] is False
    changed = await ada.patch(ME, json={"has_seen_tour": True})
    assert changed.json()["has_seen_tour"] is True
    # Other changes leave it as it is.
    await ada.patch(ME, json={"name": "Ada", "has_seen_tour": None})
    assert (await ada.get(ME)).json()["user"]["has_seen_tour"] is True


async def test_name_and_email_can_be_changed(ada: Browser) -> None:
    response = await ada.patch(ME, json={"name": "Ada", "email": "ADA@new.example"})
    assert response.json()["name"] == "Ada"
    assert response.json()["email"] == "ada@new.example"


async def test_an_email_cannot_be_changed_to_one_in_use(app: FastAPI, ada: Browser) -> None:
    await make_user(app, "eve@example.org")
    response = await ada.patch(ME, json={"email": "Eve@example.org"})
    assert error_of(response)["code"] == "EMAIL_TAKEN"


async def test_an_email_cannot_be_removed(ada: Browser) -> None:
    assert fields_of(await ada.patch(ME, json={"email": None})) == {"email"}


async def registered(app: FastAPI) -> Browser:
    browser = Browser(app)
    body = {"email": "grace@example.org", "password": OLD}
    assert (await browser.post("/api/v1/auth/register", json=body)).status_code == 201
    return browser


async def test_a_new_password_signs_other_browsers_out(app: FastAPI) -> None:
    first, second = await registered(app), Browser(app)
    login = {"email": "grace@example.org", "password": OLD}
    await second.post("/api/v1/auth/login", json=login)
    change = {"current_password": OLD, "new_password": NEW}
    assert (await first.put("/api/v1/auth/password", json=change)).status_code == 204
    assert (await first.get(ME)).status_code == 200
    assert (await second.get(ME)).status_code == 401
    assert (await second.post("/api/v1/auth/login", json=login)).status_code == 401
    login["password"] = NEW
    assert (await second.post("/api/v1/auth/login", json=login)).status_code == 200


async def test_a_password_change_needs_the_current_one(app: FastAPI) -> None:
    browser = await registered(app)
    for current in (None, "Wrong-Password-1!"):
        body = {"current_password": current, "new_password": NEW}
        response = await browser.put("/api/v1/auth/password", json=body)
        assert fields_of(response) == {"current_password"}


async def test_a_weak_new_password_is_refused_by_rule(app: FastAPI) -> None:
    body = {"current_password": OLD, "new_password": "weak"}
    response = await (await registered(app)).put("/api/v1/auth/password", json=body)
    assert fields_of(response) == {"new_password"}


async def test_guessing_the_current_password_is_limited(app: FastAPI) -> None:
    browser = await registered(app)
    body = {"current_password": "Wrong-Password-1!", "new_password": NEW}
    statuses = [
        (await browser.put("/api/v1/auth/password", json=body)).status_code for _ in range(6)
    ]
    assert statuses == [400] * 5 + [429]


async def make_token(browser: Browser, **wanted: object) -> str:
    response = await browser.post(TOKENS, json={"name": "ci", **wanted})
    assert response.status_code == 201, response.text
    return str(response.json()["token"])


def with_token(app: FastAPI, token: str) -> Browser:
    return Browser(app, headers={"Authorization": f"Bearer {token}"})


async def test_a_token_is_shown_once_and_signs_in(app: FastAPI, ada: Browser) -> None:
    token = await make_token(ada)
    listed = await ada.get(TOKENS)
    assert token not in listed.text
    assert listed.json()["items"][0]["last_four"] == token[-4:]
    me = await with_token(app, token).get(ME)
    assert me.json()["user"]["email"] == "ada@example.org"
    assert me.json()["session"] is None
    assert (await ada.get(TOKENS)).json()["items"][0]["last_used_at"] is not None


async def test_a_read_token_cannot_write(app: FastAPI, ada: Browser) -> None:
    client = with_token(app, await make_token(ada, scope="read"))
    response = await client.post("/api/v1/projects", json={"name": "Mine"})
    assert response.status_code == 403


async def test_a_write_token_can_write(app: FastAPI, ada: Browser) -> None:
    client = with_token(app, await make_token(ada, scope="write"))
    assert (await client.post("/api/v1/projects", json={"name": "Mine"})).status_code == 201


async def test_a_token_cannot_change_the_account(app: FastAPI, ada: Browser) -> None:
    client = with_token(app, await make_token(ada, scope="admin"))
    assert (await client.post(TOKENS, json={"name": "more"})).status_code == 403
    assert (await client.patch(ME, json={"name": "Eve"})).status_code == 403


async def test_an_expired_token_is_refused(
    app: FastAPI, person: tuple[User, Browser], turnable_clock: TurnableClock
) -> None:
    browser = await sign_in(app, person[0])
    client = with_token(app, await make_token(browser, expires_in_days=1))
    assert (await client.get(ME)).status_code == 200
    turnable_clock.advance(days=1, seconds=1)
    assert (await client.get(ME)).status_code == 401


async def test_a_revoked_token_is_refused(app: FastAPI, ada: Browser) -> None:
    client = with_token(app, await make_token(ada))
    (item,) = (await ada.get(TOKENS)).json()["items"]
    assert (await ada.delete(f"{TOKENS}/{item['id']}")).status_code == 204
    assert (await client.get(ME)).status_code == 401


async def test_users_cannot_revoke_tokens_of_others(app: FastAPI, ada: Browser) -> None:
    _, other = await make_person(app)
    client = with_token(app, await make_token(other))
    (item,) = (await other.get(TOKENS)).json()["items"]
    assert (await ada.delete(f"{TOKENS}/{item['id']}")).status_code == 404
    assert (await client.get(ME)).status_code == 200


@pytest.mark.parametrize("header", ["Bearer edn_wrong", "Bearer ", "Basic x", "edn_x", ""])
async def test_a_wrong_authorization_header_is_refused(app: FastAPI, header: str) -> None:
    response = await Browser(app, headers={"Authorization": header}).get(ME)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x", "scope": "root"}, "scope"),
        ({"name": "x", "expires_in_days": 0}, "expires_in_days"),
    ],
)
async def test_a_malformed_token_request_names_the_field(
    ada: Browser, body: dict[str, object], field: str
) -> None:
    assert fields_of(await ada.post(TOKENS, json=body)) == {field}


async def offered_link(app: FastAPI) -> str | None:
    async with app.state.database.write() as session:
        return await sign_in_links.offer_link(session)


async def test_the_first_link_makes_and_signs_in_the_local_owner(
    app: FastAPI, anonymous: Browser
) -> None:
    response = await anonymous.post(LINK, json={"token": await offered_link(app)})
    assert response.json()["user"]["is_local_owner"] is True
    assert (await anonymous.get(ME)).status_code == 200


async def test_a_link_works_once_under_concurrent_use(app: FastAPI) -> None:
    token = await offered_link(app)
    responses = await asyncio.gather(
        *(Browser(app).post(LINK, json={"token": token}) for _ in range(5))
    )
    assert sorted(response.status_code for response in responses) == [200, 409, 409, 409, 409]
    losers = [r for r in responses if r.status_code == 409]
    assert {error_of(response)["code"] for response in losers} == {"LINK_EXPIRED"}


async def test_a_link_is_too_old_after_fifteen_minutes(
    app: FastAPI, anonymous: Browser, turnable_clock: TurnableClock
) -> None:
    token = await offered_link(app)
    turnable_clock.advance(minutes=15, seconds=1)
    assert error_of(await anonymous.post(LINK, json={"token": token}))["code"] == "LINK_EXPIRED"


async def test_a_link_works_on_this_machine_only(app: FastAPI) -> None:
    token = await offered_link(app)
    elsewhere = Browser(app, address="192.0.2.7")
    assert (await elsewhere.post(LINK, json={"token": token})).status_code == 403
    assert (await Browser(app).post(LINK, json={"token": token})).status_code == 200


async def test_no_link_is_offered_where_people_have_accounts(app: FastAPI) -> None:
    await make_user(app)
    assert await offered_link(app) is None


async def test_a_link_is_offered_again_until_the_owner_has_a_password(
    app: FastAPI, anonymous: Browser
) -> None:
    await anonymous.post(LINK, json={"token": await offered_link(app)})
    assert await offered_link(app) is not None
    chosen = await anonymous.put("/api/v1/auth/password", json={"new_password": NEW})
    assert chosen.status_code == 204
    assert await offered_link(app) is None
