"""The cases of a run are those of its dataset at the moment when the run is created."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Case, Dataset
from edison.library.datasets.repository.datasets import Datasets
from edison.runs.plan import service as run_plans
from edison.runs.plan.schemas import RunRequest
from edison.runs.plan.types import RunContext, RunPlan
from edison.runs.store.models import Run, RunCase
from tests.factories.datasets import add_cases
from tests.slices.runs.conftest import Desk

# Longer than the statements of another transaction take.
BLOCKED_SECONDS = 0.5
COPIED = ("case_id", "case_version", "split", "difficulty", "tags", "expected", "inputs")
TOLD = [
    CaseContents(
        inputs={"question": "Où est-il ? 📦", "n": 1.0}, tags=("späť", "a\tb"), expected="là"
    ),
    CaseContents(inputs={"question": 'quote " and \\ back', "a": None}, split=Split.HOLDOUT),
    CaseContents(
        inputs={"question": "x", "deep": {"list": [1, "é", []]}}, difficulty=5, expected=""
    ),
]


@pytest.fixture
async def told(desk: Desk) -> Desk:
    """Its dataset has three more cases, with every property."""
    async with desk.app.state.database.write() as session:
        dataset = await session.get_one(Dataset, desk.dataset.id)
        await add_cases(session, dataset, TOLD)
    return desk


async def planned(desk: Desk, **changes: Any) -> RunPlan:
    async with desk.app.state.database.read() as session:
        survey = await run_plans.read_estimate_input(
            session,
            project_id=desk.dataset.project.id,
            wanted=RunRequest.model_validate(desk.body(**changes)),
            author_id=None,
        )
    return survey.plan


async def stored(desk: Desk, earlier: RunPlan | None = None, **changes: Any) -> list[Any]:
    """The cases of a new run, in order; `earlier` is the plan of its estimate."""
    context = RunContext(project_id=desk.dataset.project.id, origin="api", author_id=None)
    wanted = RunRequest.model_validate(desk.body(**changes))
    async with desk.app.state.background_database.write() as session:
        run_id = await run_plans.add_run(session, context=context, wanted=wanted, earlier=earlier)
        found = await session.scalars(
            select(RunCase).where(RunCase.run_id == run_id).order_by(RunCase.position)
        )
        rows = found.all()
        assert (await session.get_one(Run, run_id)).case_count == len(rows)
    assert [row.position for row in rows] == list(range(len(rows)))
    assert {row.assertions for row in rows} <= {None}
    return [tuple(getattr(row, name) for name in COPIED) for row in rows]


async def of_dataset(desk: Desk) -> list[Any]:
    async with desk.app.state.database.read() as session:
        found = await session.scalars(
            select(Case).where(Case.dataset_id == desk.dataset.id).order_by(Case.position)
        )
    names = ("id", "version", *COPIED[2:])
    return [tuple(getattr(case, name) for name in names) for case in found]


@pytest.mark.parametrize(
    ("choice", "places"),
    [
        (None, range(9)),
        ({"limit": 4}, range(4)),
        ({"filter": {"difficulty": 5}}, [8]),
        ({"filter": {"tag": "späť"}, "limit": 2}, [6]),
        ({"filter": {"has_expected": True}}, [6, 8]),
        ({"filter": {"q": "parcel"}, "limit": 3}, range(3)),
    ],
)
async def test_a_run_copies_the_chosen_cases_in_order(
    told: Desk, choice: dict[str, Any] | None, places: list[int]
) -> None:
    all_of_them = await of_dataset(told)

    assert await stored(told, cases=choice) == [all_of_them[at] for at in places]


async def test_named_cases_come_once_and_in_the_order_of_the_dataset(told: Desk) -> None:
    all_of_them = await of_dataset(told)
    named = [str(all_of_them[at][0]) for at in (8, 2, 6, 2)]

    assert await stored(told, cases={"case_ids": named}) == [all_of_them[at] for at in (2, 6, 8)]
    first = await stored(told, cases={"case_ids": named, "limit": 2})
    assert first == [all_of_them[at] for at in (2, 6)]


async def test_cases_given_with_the_run_belong_to_no_dataset(desk: Desk) -> None:
    inputs = [{"question": "b"}, {"question": "a"}]
    found = await stored(desk, dataset_id=None, inputs=inputs, expected=["é", None])

    assert found == [
        (None, None, None, None, [], answer, values)
        for answer, values in zip(["é", None], inputs, strict=True)
    ]


async def test_cases_added_and_deleted_after_the_estimate_count(told: Desk) -> None:
    earlier = await planned(told, cases={"limit": 5})
    first, *_ = await told.dataset.cases()
    gone = await told.dataset.editor.delete(f"{told.dataset.url}/cases/{first['id']}")
    assert gone.status_code == 204, gone.text

    found = await stored(told, earlier, cases={"limit": 5})
    assert found == (await of_dataset(told))[:5]
    assert len(found) == 5


async def test_a_run_waits_for_a_change_of_its_cases_that_began_before(desk: Desk) -> None:
    """It would copy cases that were not planned."""
    earlier = await planned(desk)
    async with desk.app.state.database.write() as session:
        dataset = await Datasets(session).touch(desk.dataset.project.id, desk.dataset.id)
        await add_cases(session, dataset, [CaseContents(inputs={"question": "New."})])
        starting = asyncio.create_task(stored(desk, earlier))
        done, _ = await asyncio.wait([starting], timeout=BLOCKED_SECONDS)
        assert not done

    found = await starting
    assert found == await of_dataset(desk)
    assert found[-1][-1] == {"question": "New."}
