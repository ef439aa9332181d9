"""A project of Ada's, and helpers for its prompts."""

from dataclasses import dataclass
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.workspace.accounts.models import User
from edison.workspace.audit.models import AuditEntry
from edison.workspace.events.models import Event
from edison.workspace.projects.models import Project
from tests.factories.projects import make_project
from tests.factories.prompts import TEXT
from tests.support.browser import Browser


@pytest.fixture
async def project(app: FastAPI, person: tuple[User, Browser]) -> Project:
    return await make_project(app, person[0], "Mine")


@pytest.fixture
def url(project: Project) -> str:
    return f"/api/v1/projects/{project.slug}/prompts"


@dataclass(frozen=True, kw_only=True)
class PromptPage:
    """One prompt as seen by an editor; reads before it writes."""

    browser: Browser
    url: str

    async def read(self) -> dict[str, Any]:
        return dict((await self.browser.get(self.url)).json())

    async def edit(self, **parts: Any) -> dict[str, Any]:
        """Saves the draft with some fields replaced."""
        response = await self.try_to_edit(**parts)
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def try_to_edit(self, **parts: Any) -> Any:
        draft = (await self.read())["draft"]
        kept = ("version", "syntax", "system", "text", "few_shots", "tools")
        body = {name: draft[name] for name in kept} | parts
        return await self.browser.put(f"{self.url}/draft", json=body)

    async def save(self, changelog: str = "Say it more clearly") -> dict[str, Any]:
        response = await self.try_to_save(changelog)
        assert response.status_code == 201, response.text
        return dict(response.json())

    async def try_to_save(self, changelog: str = "Say it more clearly") -> Any:
        version = (await self.read())["draft"]["version"]
        return await self.browser.post(
            f"{self.url}/versions", json={"version": version, "changelog": changelog}
        )

    async def rename(self, name: str) -> dict[str, Any]:
        response = await self.browser.patch(self.url, json={"name": name})
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def versions(self) -> list[dict[str, Any]]:
        """Oldest first."""
        page = await self.browser.get(f"{self.url}/versions", params={"sort": "sequence"})
        return list(page.json()["items"])


@pytest.fixture
async def support(ada: Browser, url: str) -> PromptPage:
    """A prompt named Support with a draft and no versions."""
    response = await ada.post(url, json={"name": "Support", "text": TEXT})
    assert response.status_code == 201, response.text
    return PromptPage(browser=ada, url=f"{url}/{response.json()['id']}")


async def audited(app: FastAPI, action: str) -> AuditEntry:
    """The only audit entry of this action."""
    async with app.state.database.read() as session:
        return (await session.scalars(select(AuditEntry).where(AuditEntry.action == action))).one()


async def announced(app: FastAPI) -> list[str]:
    """The prompts in published events, in order."""
    async with app.state.database.read() as session:
        statement = select(Event).where(Event.kind == "prompt.changed").order_by(Event.number)
        return [event.data["entity_id"] for event in await session.scalars(statement)]
