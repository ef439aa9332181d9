"""Registering and signing in."""

from fastapi import FastAPI

from tests.support.browser import Browser, error_of

PASSWORD = "Analytical-Engine-1843!"


async def register(browser: Browser, email: str = "ada@example.org") -> None:
    response = await browser.post(
        "/api/v1/auth/register", json={"email": email, "password": PASSWORD}
    )
    assert response.status_code == 201, response.text


async def test_registering_signs_in(anonymous: Browser) -> None:
    await register(anonymous)
    me = await anonymous.get("/api/v1/auth/me")
    assert me.json()["user"]["email"] == "ada@example.org"


async def test_an_email_is_taken_in_any_spelling(anonymous: Browser, app: FastAPI) -> None:
    await register(anonymous)
    again = await Browser(app).post(
        "/api/v1/auth/register", json={"email": "ADA@Example.ORG", "password": PASSWORD}
    )
    assert again.status_code == 409
    assert error_of(again)["code"] == "EMAIL_TAKEN"
    assert error_of(again)["path"] == "email"
