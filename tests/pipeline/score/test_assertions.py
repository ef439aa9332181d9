"""Assertions give the verdicts that promptfoo gave to the same inputs."""

from collections import Counter

import pytest

from edison.pipeline.score.assertions.csv_cell import read_cell
from edison.pipeline.score.assertions.model import Services
from tests.support.promptfoo import (
    ScriptedGrader,
    find_difference,
    table,
    vectors,
    verdict_on,
)

# Need synonyms: see PARTIAL in the registry.
SYNONYMS = {"meteor-019", "meteor-020", "meteor-028"}
FILES = ("text", "structure", "metrics", "response", "tools", "code", "aggregate", "more")


@pytest.mark.parametrize("name", FILES)
async def test_verdicts_are_those_of_promptfoo(name: str) -> None:
    groups, wrong = Counter[str](), Counter[str]()
    differences = []
    for vector in vectors(name):
        if vector["id"] in SYNONYMS:
            continue
        groups[vector["group"]] += 1
        found = await verdict_on(vector, Services())
        difference = find_difference(found, vector["expect"])
        if difference is not None:
            wrong[vector["group"]] += 1
            differences.append(f"{vector['id']}: {difference}, not {vector['expect']}")
    assert not differences, "\n".join([table(groups, wrong), *differences])


async def test_cells_of_csv_files_are_read_as_by_promptfoo() -> None:
    differences = []
    for vector in vectors("csv"):
        parsed = [read_cell(vector["cell"])]
        expected = vector["expect"]
        if parsed != expected["parsed"]:
            differences.append(f"{vector['id']}: {parsed}, not {expected['parsed']}")
            continue
        row = {**vector, "assert": parsed, "response": {"cost": 0.01}}
        difference = find_difference(await verdict_on(row, Services()), expected)
        if difference is not None:
            differences.append(f"{vector['id']}: {difference}, not {expected}")
    assert not differences, "\n".join(differences)


async def test_replies_of_graders_are_read_as_by_promptfoo() -> None:
    groups, wrong = Counter[str](), Counter[str]()
    differences = []
    for vector in vectors("graded"):
        groups[vector["group"]] += 1
        services = Services(grader=ScriptedGrader(vector["grader"]))
        difference = find_difference(await verdict_on(vector, services), vector["expect"])
        if difference is not None:
            wrong[vector["group"]] += 1
            differences.append(f"{vector['id']}: {difference}, not {vector['expect']}")
    assert not differences, "\n".join([table(groups, wrong), *differences])
