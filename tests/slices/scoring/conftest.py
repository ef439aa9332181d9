"""A project with a finished run, and reviewers who score its outputs."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from edison.workspace.projects.models import Project, Role
from tests.factories.projects import MadeMember, make_member, make_project
from tests.factories.scoring import MadeRun, ScorerOf, make_scored_run
from tests.slices.runs.conftest import desk, server, settings, working

__all__ = ["desk", "server", "settings", "working"]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Two variants on three cases, scored by a strict and a lenient scorer. Ada and Bob review."""

    app: FastAPI
    project: Project
    editor: MadeMember
    ada: MadeMember
    bob: MadeMember
    run: MadeRun

    @property
    def url(self) -> str:
        return f"/api/v1/projects/{self.project.slug}"

    def scores_url(self, case: int = 0, variant: int = 0) -> str:
        return f"{self.url}/outputs/{self.run.outputs[case, variant]}/scores"

    async def score(
        self, who: MadeMember, case: int = 0, variant: int = 0, **body: Any
    ) -> httpx.Response:
        return await who.browser.put(self.scores_url(case, variant), json=body)

    async def get(self, path: str, who: MadeMember | None = None, **query: Any) -> Any:
        response = await (who or self.editor).browser.get(f"{self.url}{path}", params=query)
        assert response.status_code == 200, response.text
        return response.json()

    async def make_queue(self, **wanted: Any) -> str:
        """Returns its id."""
        body = {"name": "A queue", "run_ids": [str(self.run.id)], "question": "rating", **wanted}
        response = await self.editor.browser.post(f"{self.url}/annotation-queues", json=body)
        assert response.status_code == 201, response.text
        return str(response.json()["id"])

    async def next(self, who: MadeMember, queue_id: str) -> dict[str, Any]:
        response = await who.browser.post(f"{self.url}/annotation-queues/{queue_id}/next")
        assert response.status_code == 200, response.text
        return dict(response.json())

    async def answer(
        self, who: MadeMember, queue_id: str, step: dict[str, Any], **body: Any
    ) -> httpx.Response:
        url = f"{self.url}/annotation-queues/{queue_id}/items/{step['item']['id']}/score"
        return await who.browser.put(url, json=body)

    async def summaries(self) -> list[tuple[float | None, int]]:
        """Score and number of human scores, by variant."""
        run = await self.get(f"/runs/{self.run.id}")
        return [
            (variant["summary"]["score"], variant["summary"]["human_count"])
            for variant in run["variants"]
        ]

    async def listed(self, **query: Any) -> list[tuple[int, int]]:
        """Case and variant of outputs, as the run lists them."""
        found = await self.get(f"/runs/{self.run.id}/outputs", **query)
        return [(each["case_position"], each["variant_position"]) for each in found["items"]]


@pytest.fixture
async def panel(app: FastAPI) -> Panel:
    project = await make_project(app)
    return Panel(
        app=app,
        project=project,
        editor=await make_member(app, project, Role.EDITOR),
        ada=await make_member(app, project, Role.REVIEWER, "ada@example.org"),
        bob=await make_member(app, project, Role.REVIEWER, "bob@example.org"),
        run=await make_scored_run(
            app,
            project.id,
            # The second case's scorers disagree most; the third's are nearest to the threshold.
            cells=[
                [(0.9, 1.0), (0.1, 0.2)],
                [(0.1, 0.9), (0.2, 0.8)],
                [(0.5, 0.6), (0.45, None)],
            ],
            scorers=[ScorerOf(label="Strict", weight=3, threshold=0.5), ScorerOf(label="Lenient")],
        ),
    )
