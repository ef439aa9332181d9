"""A project of Ada's with a credential for simulated models."""

from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI

from edison.workspace.accounts.models import User
from edison.workspace.credentials.models import Credential
from edison.workspace.projects.models import Project
from tests.factories.models import make_credential
from tests.factories.projects import make_project
from tests.support.browser import Browser

OWN_PRICES = {"input_usd_per_million": "1.5", "output_usd_per_million": "2.000001"}


@dataclass(frozen=True, kw_only=True)
class Registry:
    """Ada's model registry, over HTTP."""

    browser: Browser
    project: Project
    credential: Credential

    @property
    def url(self) -> str:
        return f"/api/v1/projects/{self.project.slug}"

    def wanted(self, provider_model: str = "sim-small", **changes: Any) -> dict[str, Any]:
        return {
            "credential_id": str(self.credential.id),
            "provider_model": provider_model,
            **changes,
        }

    async def add(self, provider_model: str = "sim-small", **changes: Any) -> dict[str, Any]:
        body = self.wanted(provider_model, **changes)
        response = await self.browser.post(f"{self.url}/models", json=body)
        assert response.status_code == 201, response.text
        return dict(response.json())

    async def change(self, model: dict[str, Any], **changes: Any) -> dict[str, Any]:
        response = await self.browser.patch(f"{self.url}/models/{model['id']}", json=changes)
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def get(self, model: dict[str, Any]) -> dict[str, Any]:
        return dict((await self.browser.get(f"{self.url}/models/{model['id']}")).json())

    async def listed(self, **query: Any) -> list[dict[str, Any]]:
        response = await self.browser.get(f"{self.url}/models", params=query)
        assert response.status_code == 200, response.text
        return list(response.json()["items"])

    async def names(self, **query: Any) -> list[str]:
        return [item["display_name"] for item in await self.listed(**query)]


@pytest.fixture
async def registry(app: FastAPI, person: tuple[User, Browser]) -> Registry:
    user, browser = person
    project = await make_project(app, user)
    credential = await make_credential(app, project.id, label="Simulated")
    return Registry(browser=browser, project=project, credential=credential)
