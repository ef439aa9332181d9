"""Versions of resources, tried with rubrics: numbers, refused changes, differences."""

from typing import Any
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncSession

from edison.api.pagination import PageRequest
from edison.api.schema import Schema
from edison.kit import clock, ids
from edison.kit.errors import NotFound
from edison.library.scorers.models import Rubric, RubricVersion
from edison.library.scorers.repository.rubrics import Rubrics
from edison.workspace.projects.models import Project
from edison.workspace.resources import service as resources
from edison.workspace.resources.errors import DuplicateName, Stale, Unchanged

SHORT = [{"name": "Length", "weight": 1}]
LONG = [{"name": "Length", "weight": 0.5}, {"name": "Tone", "weight": 0.5}]


class Shown(Schema):
    number: int


def version_of(rubric: Rubric, criteria: list[dict[str, Any]]) -> RubricVersion:
    return RubricVersion(
        id=ids.new_id(),
        rubric_id=rubric.id,
        number=rubric.latest_number,
        criteria=criteria,
        digest=str(len(criteria)),
        created_at=clock.now(),
    )


async def add_rubric(session: AsyncSession, project_id: UUID, name: str = "Support") -> Rubric:
    rubric = Rubric(id=ids.new_id(), project_id=project_id, name=name, latest_number=1)
    await resources.add_versioned(Rubrics(session), rubric, version_of(rubric, SHORT))
    return rubric


async def save(
    session: AsyncSession, rubric: Rubric, criteria: list[dict[str, Any]], *, based_on: int
) -> None:
    async def describe() -> Shown:
        return Shown(number=rubric.latest_number)

    version = version_of(rubric, criteria)
    await resources.save_version(
        Rubrics(session), rubric, version, based_on=based_on, describe=describe
    )


async def test_versions_are_numbered(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        rubrics = Rubrics(session)
        rubric = await add_rubric(session, project.id)
        await save(session, rubric, LONG, based_on=1)
        await save(session, rubric, SHORT, based_on=2)
        _, latest, author = await rubrics.get_with_latest(project.id, rubric.id)
        assert (latest.label, latest.criteria, author) == ("v3", SHORT, None)
        found = await rubrics.page_versions(rubric.id, page=PageRequest(limit=2))
        assert [version.number for version, _ in found.items] == [3, 2]


async def test_a_version_based_on_an_older_one_is_refused(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        rubric = await add_rubric(session, project.id)
        await save(session, rubric, LONG, based_on=1)
        with pytest.raises(Stale, match="Another member changed this rubric") as refused:
            await save(session, rubric, SHORT, based_on=1)
        assert refused.value.details == {"current": {"number": 2}}
        assert (await Rubrics(session).get_latest(rubric)).criteria == LONG


async def test_equal_contents_make_no_version(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        rubric = await add_rubric(session, project.id)
        with pytest.raises(Unchanged, match="Nothing changed since v1"):
            await save(session, rubric, SHORT, based_on=1)
        assert rubric.latest_number == 1


async def test_a_taken_name_adds_no_version(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        await add_rubric(session, project.id)
        with pytest.raises(DuplicateName):
            await add_rubric(session, project.id)
        found = await Rubrics(session).page(project.id, status="all", page=PageRequest(limit=5))
        assert found.total == 1


async def test_two_versions_are_compared_value_by_value(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        rubrics = Rubrics(session)
        rubric = await add_rubric(session, project.id)
        old = await rubrics.get_latest(rubric)
        await save(session, rubric, LONG, based_on=1)
        new = await rubrics.get_latest(rubric)
        found = await resources.compare_versions(
            rubrics,
            rubric,
            left=old.id,
            right=new.id,
            contents=lambda version: {"criteria": version.criteria},
        )
    assert (found.left, found.right) == ("v1", "v2")
    assert [(each.kind, each.path) for each in found.changes] == [
        ("changed", ["criteria", "Length", "weight"]),
        ("added", ["criteria", "Tone"]),
    ]


async def test_a_version_of_another_resource_is_not_found(app: FastAPI, project: Project) -> None:
    async with app.state.database.write() as session:
        rubrics = Rubrics(session)
        mine = await add_rubric(session, project.id)
        other = await add_rubric(session, project.id, "Other")
        version = await rubrics.get_latest(other)
        with pytest.raises(NotFound, match="There is no such version of this rubric"):
            await rubrics.get_version(mine.id, version.id)
