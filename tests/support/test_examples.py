"""An example that hypothesis ends early leaves neither rows nor connections behind."""

from pathlib import Path

import pytest

from edison.db.session import Database
from edison.kit import ids
from edison.workspace.projects.models import Project
from tests.support.databases import Databases
from tests.support.examples import run_example


class EndedEarly(BaseException):
    """Like hypothesis's StopTest, not an Exception."""


async def _add_project(database: Database) -> None:
    async with database.write() as session:
        session.add(Project(id=ids.new_id(), name="Mine", slug="mine"))


async def _end_early(database: Database) -> None:
    await _add_project(database)
    raise EndedEarly


def test_the_next_example_finds_an_empty_database(databases: Databases, tmp_path: Path) -> None:
    with pytest.raises(EndedEarly):
        run_example(databases, tmp_path, _end_early)
    run_example(databases, tmp_path, _add_project)


def test_only_the_helper_opens_databases_for_examples() -> None:
    tests = Path(__file__).parent.parent
    using_hypothesis = [
        file for file in tests.rglob("test_*.py") if "@given(" in file.read_text(encoding="utf-8")
    ]
    opening = [
        file.relative_to(tests).as_posix()
        for file in using_hypothesis
        if "fresh_url(" in file.read_text(encoding="utf-8")
    ]
    # The fuzz has one database for all examples, opened by a fixture.
    assert set(opening) - {"app/test_fuzz.py", "support/test_examples.py"} == set()
