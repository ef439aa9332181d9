"""The home page of a project, through the API."""

from datetime import timedelta
from typing import Any

from fastapi import FastAPI
from sqlalchemy import select

from edison.kit import clock
from edison.runs.store.states import RunState
from edison.runs.voting.models import VotingMatch, VotingSeat
from edison.workspace.projects.models import Project, Role
from tests.factories.datasets import make_dataset
from tests.factories.experiments import add_experiment, add_iteration, add_suggestion
from tests.factories.models import make_credential, make_model
from tests.factories.monitors import add_alert, add_check, add_monitor
from tests.factories.projects import MadeMember, make_member, make_project
from tests.factories.prompts import add_prompt, add_version
from tests.factories.runs import add_run
from tests.factories.scoring import add_queue, make_scored_run
from tests.factories.voting import add_round


async def get_home(project: Project, member: MadeMember) -> Any:
    response = await member.browser.get(f"/api/v1/projects/{project.slug}/home")
    assert response.status_code == 200, response.text
    return response.json()


def shown(home: Any) -> dict[str, tuple[int, list[tuple[str, int | None]]]]:
    """Count, titles and open counts by kind."""
    return {
        group["kind"]: (
            group["count"],
            [(each["title"], each["open_count"]) for each in group["items"]],
        )
        for group in home["waiting"]
    }


async def test_a_new_project_has_nothing_but_first_steps(app: FastAPI) -> None:
    project = await make_project(app)
    home = await get_home(project, await make_member(app, project, Role.EDITOR))
    assert (home["waiting"], home["production"]) == ([], [])
    assert set(home["steps"].values()) == {False}


async def test_what_waits_depends_on_the_reader(app: FastAPI) -> None:
    project = await make_project(app)
    reviewer = await make_member(app, project, Role.REVIEWER)
    viewer = await make_member(app, project, Role.VIEWER)
    scored = await make_scored_run(app, project.id, cells=[[[]], [[]]])
    async with app.state.database.write() as session:
        prompt = await add_prompt(session, project.id, name="Replies")
        version = await add_version(session, prompt)
        iteration = await add_iteration(session, await add_experiment(session, project.id))
        for number in range(1, 5):
            await add_suggestion(session, iteration, number=number, base_version_id=version.id)
        await add_suggestion(
            session, iteration, number=5, base_version_id=version.id, state="rejected"
        )
        failed = {"state": RunState.FAILED}
        await add_run(session, project.id, name="Broken", **failed)
        await add_run(session, project.id, name="Half", cell_count=4, error_count=2)
        await add_run(session, project.id, name="Mostly", cell_count=4, error_count=3)
        long_ago = clock.now() - timedelta(days=8)
        await add_run(session, project.id, name="Long ago", created_at=long_ago, **failed)
        await add_round(session, project.id, name="Which one?")
        await add_queue(session, project.id, list(scored.outputs.values()), name="Rate these")
    for_all = {"failed_run": (2, [("Mostly", None), ("Broken", None)])}
    assert shown(await get_home(project, viewer)) == for_all
    home = await get_home(project, reviewer)
    assert home["waiting"][0]["items"][0]["note"] == "Says more."
    assert shown(home) == for_all | {
        "review": (4, [("Replies", None)] * 3),
        "voting": (1, [("Which one?", 1)]),
        "annotation": (1, [("Rate these", 2)]),
    }


async def test_a_round_is_left_out_once_the_reader_has_voted(app: FastAPI) -> None:
    project = await make_project(app)
    voter, other, third = [await make_member(app, project, Role.EDITOR) for _ in range(3)]
    async with app.state.database.write() as session:
        made = await add_round(session, project.id, people_per_match=2)
        seats = select(VotingSeat).join(VotingMatch).where(VotingMatch.round_id == made.id)
        seat = (await session.scalars(seats)).first()
        assert seat is not None
        seat.user_id, seat.is_voted = voter.user.id, True
    assert shown(await get_home(project, voter)) == {}
    assert shown(await get_home(project, other)) == {"voting": (1, [("A round", 1)])}
    # A pair that another person holds is not left for the reader.
    async with app.state.database.write() as session:
        for each in (await session.scalars(seats)).all():
            if not each.is_voted:
                each.user_id, each.lease_until = third.user.id, clock.now() + timedelta(minutes=5)
    assert shown(await get_home(project, other)) == {}


async def test_prompts_in_production_have_the_trend_of_their_monitor(app: FastAPI) -> None:
    project = await make_project(app)
    editor = await make_member(app, project, Role.EDITOR)
    async with app.state.database.write() as session:
        replies = await add_prompt(session, project.id, name="Replies")
        version = await add_version(session, replies)
        await add_version(session, await add_prompt(session, project.id, name="Draft only"))
        titles = await add_prompt(session, project.id, name="Titles")
        other = await add_version(session, titles)
        version.is_production = other.is_production = True
        monitor = await add_monitor(
            session, project.id, name="Daily", prompt_id=replies.id, check_count=33
        )
        # The first is too old for the trend, the last was skipped.
        for number, score in ((1, 0.1), (31, 0.9), (32, 0.6)):
            await add_check(
                session, monitor, number=number, state="done", reason=None, score=score,
                verdict="good" if score > 0.8 else "lower",
            )  # fmt: skip
        await add_check(session, monitor, number=33)
        await add_alert(session, monitor)
    first, second = (await get_home(project, editor))["production"]
    assert (first["prompt_name"], first["version_id"]) == ("Replies", str(version.id))
    assert (first["watched"]["name"], first["watched"]["open_alerts"]) == ("Daily", 1)
    assert first["watched"]["trend"] == [
        {"number": 31, "score": 0.9, "verdict": "good"},
        {"number": 32, "score": 0.6, "verdict": "lower"},
    ]
    assert (second["prompt_name"], second["watched"]) == ("Titles", None)


async def test_steps_are_done_one_by_one(app: FastAPI) -> None:
    dataset = await make_dataset(app, [{"question": "Where?"}])
    project = dataset.project
    editor = await make_member(app, project, Role.EDITOR)
    credential = await make_credential(app, project.id, "sim")
    await make_model(app, credential, "sim-small")
    async with app.state.database.write() as session:
        await add_prompt(session, project.id)
        await add_run(session, project.id)
        await add_experiment(session, project.id, state="draft")
    expected = {"has_model", "has_prompt", "has_cases", "has_run"}
    steps = (await get_home(project, editor))["steps"]
    assert {name for name, is_done in steps.items() if is_done} == expected
    async with app.state.database.write() as session:
        await add_experiment(session, project.id, state="running", name="Second")
        await add_monitor(session, project.id)
    assert set((await get_home(project, editor))["steps"].values()) == {True}
