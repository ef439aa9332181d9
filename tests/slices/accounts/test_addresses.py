"""Email addresses that can be confused with others."""

import pytest
from fastapi import FastAPI

from edison.workspace.accounts.addresses import is_mistakable, normalise, skeleton
from tests.factories.accounts import make_user
from tests.factories.projects import make_project
from tests.support.browser import Browser, error_of, fields_of

PASSWORD = "Analytical-Engine-1843!"
# Each looks like a plain Latin address, or mixes alphabets.
MISTAKABLE = [
    "\u0430da@example.org",  # Cyrillic a
    "ad\u0430@example.org",
    "ada@ex\u0430mple.org",
    "ada@xn--exmple-4nf.org",  # the same in DNS spelling
    "\u0441\u043e\u0440\u0443@example.org",  # all Cyrillic, looks like "copy"
    "\u03bf@example.org",  # Greek omicron
    "\u0131an@example.org",  # dotless i
    "\u0251da@example.org",  # Latin alpha
    "\u0251\u00f1o@example.org",
    "\uff41da@example.org",  # full width
    "ada\u0663@example.org",  # Arabic digit
    "ada@\u0440\u0430\u0443\u0440\u0430l.com",
    "a.\u0430@example.org",
    "\u043f\u0440\u0438\u0432\u0435\u0442x@example.org",
]
HARMLESS = [
    "ada@example.org",
    "jos\u00e9@example.org",
    "stra\u00dfe@example.org",
    "\u0142ukasz@example.pl",
    "\u043d\u0438\u043d\u0430.\u043f\u0435\u0442\u0440\u043e\u0432\u0430@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444",
    "\u0436\u043e\u0440\u04301@example.org",
    "\u674e@example.org",
    "rn-m@example.org",
    "user1@example.org",
]


@pytest.mark.parametrize("email", MISTAKABLE)
async def test_a_confusable_address_is_refused_everywhere(
    ada: Browser, app: FastAPI, person: tuple[object, Browser], email: str
) -> None:
    assert is_mistakable(normalise(email))
    project = await make_project(app, person[0])  # type: ignore[arg-type]
    stranger = Browser(app)
    answers = [
        await stranger.post("/api/v1/auth/register", json={"email": email, "password": PASSWORD}),
        await ada.patch("/api/v1/auth/me", json={"email": email}),
        await ada.post(
            f"/api/v1/projects/{project.slug}/invitations", json={"email": email, "role": "EDITOR"}
        ),
    ]
    assert [fields_of(each) for each in answers] == [{"email"}] * 3


@pytest.mark.parametrize("email", HARMLESS)
def test_real_addresses_are_allowed(email: str) -> None:
    assert not is_mistakable(normalise(email))


async def test_an_address_that_looks_like_an_accounts_is_refused(
    ada: Browser, app: FastAPI
) -> None:
    """An account from before confusable addresses were refused."""
    await make_user(app, "\u0251\u00f1o@example.org")
    taken = "a\u00f1o@example.org"
    assert skeleton("\u0251\u00f1o@example.org") == skeleton(taken)
    registration = {"email": taken, "password": PASSWORD}
    answers = [
        await Browser(app).post("/api/v1/auth/register", json=registration),
        await ada.patch("/api/v1/auth/me", json={"email": taken}),
    ]
    for refused in answers:
        assert refused.status_code == 409
        assert error_of(refused)["code"] == "EMAIL_LOOKS_LIKE_ANOTHER"
        assert error_of(refused)["path"] == "email"
