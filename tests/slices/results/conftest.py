"""A project with runs whose scores are set by hand, so that every number can be checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from edison.kit import clock, ids
from edison.runs.store.models import Comparison, Output, RunCase, RunComparer, Score
from edison.workspace.projects.models import Project, Role
from tests.factories.projects import MadeMember, make_member, make_project
from tests.factories.scoring import Given, MadeRun, ScorerOf, make_scored_run

NUMBERS = 10_000
TONE = {"name": "Tone", "description": "Is friendly and polite.", "weight": 0.75, "scale": "0-5"}
FACTS = {"name": "Facts", "description": "Says nothing wrong.", "weight": 0.25, "scale": "0-5"}
JUDGES = ("00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b")


@dataclass(frozen=True, kw_only=True)
class Desk:
    app: FastAPI
    project: Project
    viewer: MadeMember
    reviewer: MadeMember

    async def get(self, path: str, **query: Any) -> httpx.Response:
        url = f"/api/v1/projects/{self.project.slug}/runs/{path}"
        return await self.viewer.browser.get(url, params=query)

    async def read(self, path: str, **query: Any) -> Any:
        response = await self.get(path, **query)
        assert response.status_code == 200, response.text
        return response.json()

    async def make_run(
        self,
        cells: Sequence[Sequence[Sequence[Given]]],
        *scorers: ScorerOf,
        **values: Any,
    ) -> MadeRun:
        """`cells[case][variant]` holds the values of each scorer."""
        return await make_scored_run(
            self.app,
            self.project.id,
            cells=cells,
            scorers=scorers,
            **{"last_number": NUMBERS, **values},
        )

    async def add(self, *rows: Any) -> None:
        async with self.app.state.database.write() as session:
            session.add_all(rows)

    async def change_output(self, output_id: UUID, **values: Any) -> None:
        async with self.app.state.database.write() as session:
            await session.execute(update(Output).where(Output.id == output_id).values(**values))

    async def change_case(self, run: MadeRun, position: int, **values: Any) -> None:
        async with self.app.state.database.write() as session:
            await session.execute(
                update(RunCase)
                .where(RunCase.run_id == run.id, RunCase.position == position)
                .values(**values)
            )

    async def add_panel_score(
        self, run: MadeRun, case: int, variant: int, said: Mapping[str, tuple[float, float]]
    ) -> None:
        """Each judge's verdict on tone and facts, as the first scorer's score."""
        judges = {label: _judge(label, *numbers) for label, numbers in said.items()}
        values = [judge["value"] for judge in judges.values()]
        await self.add(
            Score(
                id=ids.new_id(),
                run_id=run.id,
                output_id=run.outputs[case, variant],
                scorer_position=0,
                number=2000 + case * 10 + variant,
                value=sum(values) / len(values),
                created_at=clock.now(),
                judges=judges,
            )
        )

    async def compare(self, run: MadeRun, case: int, verdict_ab: str, verdict_ba: str) -> None:
        """The first comparer's result for the first two variants."""
        await self.add(
            Comparison(
                id=ids.new_id(),
                run_id=run.id,
                comparer_position=0,
                case_position=case,
                repeat=0,
                variant_a=0,
                variant_b=1,
                output_a_id=run.outputs[case, 0],
                output_b_id=run.outputs[case, 1],
                number=3000 + case,
                preference=verdict_ab if verdict_ab == verdict_ba else "tie",
                verdict_ab=verdict_ab,
                verdict_ba=verdict_ba,
                cost_nanos=500,
                created_at=clock.now(),
                orders=[],
            )
        )

    async def add_comparer(self, run: MadeRun) -> None:
        await self.add(
            RunComparer(
                id=ids.new_id(),
                run_id=run.id,
                position=0,
                kind="pairwise_judge",
                label="Taste",
                options={},
            )
        )


def _judge(label: str, tone: float, facts: float) -> dict[str, Any]:
    return {
        "model_id": label.partition("#")[0],
        "value": 0.75 * tone + 0.25 * facts,
        "flag": None,
        "problem": None,
        "raw": None,
        "criteria": {
            "Tone": {"value": tone, "raw": tone * 5, "rationale": "Because."},
            "Facts": {"value": facts, "raw": facts * 5, "rationale": "Because."},
        },
    }


@pytest.fixture
async def desk(app: FastAPI) -> Desk:
    project = await make_project(app)
    return Desk(
        app=app,
        project=project,
        viewer=await make_member(app, project, Role.VIEWER),
        reviewer=await make_member(app, project, Role.REVIEWER),
    )
