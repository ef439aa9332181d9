"""A client of the real application, with a token of a project's owner."""

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from edison import sdk
from edison.sdk import prompts
from tests.support.browser import Browser
from tests.support.server import serving


@pytest.fixture
async def client(app: FastAPI, ada: Browser) -> AsyncIterator[sdk.Client]:
    project = (await ada.post("/api/v1/projects", json={"name": "Support"})).json()
    made = await ada.post("/api/v1/auth/tokens", json={"name": "sdk", "scope": "write"})
    prompts.forget_prompts()
    async with serving(app) as url:
        yield sdk.Client(url, token=made.json()["token"], project=project["slug"])
    prompts.forget_prompts()


def token_of(client: sdk.Client) -> str:
    """Its secret, which programs cannot read from a client."""
    return str(client._token)
