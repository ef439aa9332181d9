"""A completed run of three models, and reviewers who vote."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from edison.library.models.models import Model
from edison.workspace.projects.models import Project, Role
from tests.factories.models import make_credential, make_model
from tests.factories.projects import MadeMember, make_member, make_project
from tests.factories.voting import AnsweredRun, make_answered_run

CASES = 8


@dataclass(frozen=True, kw_only=True)
class Hall:
    app: FastAPI
    project: Project
    editor: MadeMember
    ada: MadeMember
    bob: MadeMember
    models: list[Model]
    run: AnsweredRun

    @property
    def url(self) -> str:
        return f"/api/v1/projects/{self.project.slug}"

    async def make_round(self, **wanted: Any) -> str:
        """Returns its id."""
        response = await self.create(**wanted)
        assert response.status_code == 201, response.text
        return str(response.json()["id"])

    async def create(self, **wanted: Any) -> httpx.Response:
        body = {"name": "A round", "run_id": str(self.run.id), **wanted}
        return await self.editor.browser.post(f"{self.url}/voting-rounds", json=body)

    async def post(self, who: MadeMember, round_id: str, path: str, **body: Any) -> httpx.Response:
        return await who.browser.post(f"{self.url}/voting-rounds/{round_id}/{path}", json=body)

    async def next(self, who: MadeMember, round_id: str) -> dict[str, Any]:
        response = await self.post(who, round_id, "next")
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def vote(
        self, who: MadeMember, round_id: str, step: dict[str, Any], choice: str
    ) -> httpx.Response:
        match = step["match"]
        path = f"matches/{match['id']}/vote"
        return await self.post(who, round_id, path, choice=choice, turn=match["turn"])

    async def vote_all(self, who: MadeMember, round_id: str, best: int) -> list[dict[str, Any]]:
        """Prefers the answers of this variant, else says tie. Returns the steps."""
        steps = [await self.next(who, round_id)]
        while (match := steps[-1]["match"]) is not None:
            choice = "tie"
            for side in ("first", "second"):
                if match[side].startswith(f"Answer {best} "):
                    choice = side
            response = await self.vote(who, round_id, steps[-1], choice)
            assert response.status_code == 200, response.text
            steps.append(response.json())
        return steps

    async def close(self, round_id: str) -> dict[str, Any]:
        """Returns the results."""
        response = await self.post(self.editor, round_id, "close")
        assert response.status_code == 200, response.text
        found = await self.editor.browser.get(f"{self.url}/voting-rounds/{round_id}/results")
        assert found.status_code == 200, found.text
        return dict(found.json())


@pytest.fixture
async def hall(app: FastAPI) -> Hall:
    project = await make_project(app)
    credential = await make_credential(app, project.id, settings={"latency_scale": 0})
    names = ("sim-small", "sim-medium", "sim-large")
    models = [await make_model(app, credential, name) for name in names]
    return Hall(
        app=app,
        project=project,
        editor=await make_member(app, project, Role.EDITOR),
        ada=await make_member(app, project, Role.REVIEWER),
        bob=await make_member(app, project, Role.REVIEWER),
        models=models,
        run=await make_answered_run(app, project.id, models, cases=CASES),
    )
