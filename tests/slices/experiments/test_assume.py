"""Estimates of unfinished drafts: stand-ins for steps with problems, and the budgets in reach."""

from decimal import Decimal
from uuid import UUID

import pytest

from edison.kit.ids import new_id
from edison.loops.experiments.drafts.money import Spend, fit_budgets
from edison.workspace.budgets.types import BudgetLeft
from edison.workspace.projects.models import Role
from tests.slices.experiments.lab import TEXT, Lab

STAND_INS = {
    "objective": "A short objective until yours is complete.",
    "rubric": "3 criteria until the rubric is complete.",
    "prompt": "A prompt of 60 words with one variable until yours is complete.",
    "data": "10 cases until you add some.",
    "models": "fancy answers until you choose models.",
    "judges": "fancy judges until you choose judges.",
}


async def test_an_empty_draft_has_an_estimate_that_names_its_stand_ins(lab: Lab) -> None:
    datasets = (await lab.get("/datasets"))["items"]
    made = await lab.do("/experiments", name="Parcels")
    found = await lab.do(f"/experiments/{made['id']}/estimate")
    assert {each["step"]: each["message"] for each in found["stand_ins"]} == STAND_INS
    assert found["assumptions"][: len(STAND_INS)] == list(STAND_INS.values())
    assert {each["step"] for each in found["problems"]} == set(STAND_INS)
    assert (found["train_cases"], found["holdout_cases"]) == (8, 2)
    # Two suggestions per iteration are tried on the training cases.
    assert found["iteration"]["answer_calls"] == 10 + 2 * 8
    assert found["iteration"]["judge_calls"] == 10 + 2 * 8
    assert found["iteration"]["refine_calls"] == 2
    assert 0 < Decimal(found["cost"]["low_usd"]) < Decimal(found["cost"]["high_usd"])
    for path in ("/prompts", "/rubrics"):
        assert (await lab.get(path))["items"] == []
    assert (await lab.get("/datasets"))["items"] == datasets


async def test_each_step_is_replaced_alone_and_fits_the_others(lab: Lab) -> None:
    made = await lab.do("/experiments", name="Parcels")
    url = f"/experiments/{made['id']}/estimate"
    gone = str(new_id())
    broken = {
        "objective": ({"goal": "Short."}, STAND_INS["objective"]),
        "rubric": ({"criteria": []}, STAND_INS["rubric"]),
        "prompt": ({"text": "Too short."}, STAND_INS["prompt"]),
        "data": ({"dataset_id": gone}, "10 cases until yours can be used."),
        "models": ({"repeats": 0}, "fancy answers until the problems of this step are solved."),
        "judges": ({"judges": [gone]}, "fancy judges until the problems of this step are solved."),
        "limits": (
            {"candidates": 9, "refiner_model_id": None},
            "The project's default limits until those entered are valid.",
        ),
    }
    for step, (values, message) in broken.items():
        found = await lab.do(url, draft=lab.draft(**{step: values}))
        assert found["stand_ins"] == [{"step": step, "message": message}]
        assert {each["step"] for each in found["problems"]} == {step}
        assert found["train_cases"] == (8 if step == "data" else 4)
        assert found["iteration"]["answer_calls"] > 0
    # The engine refuses these cases, since they lack a variable of the prompt.
    lacking = await lab.do(url, draft=lab.draft(prompt={"text": TEXT + "{{order}}"}))
    assert [each["step"] for each in lacking["stand_ins"]] == ["data"]
    assert lacking["problems"]
    assert (lacking["train_cases"], lacking["holdout_cases"]) == (8, 2)
    usable = await lab.do(url, draft=lab.draft())
    assert (usable["stand_ins"], usable["problems"]) == ([], [])


async def test_without_a_model_there_are_only_problems(lab: Lab) -> None:
    admin = await lab.member(Role.ADMIN)
    for model in lab.models.values():
        changed = await admin.patch(
            f"{lab.project_url}/models/{model.id}", json={"is_enabled": False}
        )
        assert changed.status_code == 200, changed.text
    made = await lab.do("/experiments", name="Parcels")
    found = await lab.do(f"/experiments/{made['id']}/estimate")
    assert found["iteration"] is None
    assert (found["stand_ins"], found["budgets"], found["assumptions"]) == ([], [], [])
    assert len(found["problems"]) == 6


async def test_an_estimate_compares_the_budgets_in_reach(lab: Lab) -> None:
    admin = await lab.member(Role.ADMIN)
    for period, limit in (("day", "0.000001"), ("total", "10000")):
        added = await admin.post(
            f"{lab.project_url}/budgets", json={"period": period, "limit_usd": limit}
        )
        assert added.status_code == 201, added.text
    # The limit of an experiment itself is compared by the wizard, which knows the newest one.
    experiment = await lab.make()
    found = await lab.do(f"/experiments/{experiment['id']}/estimate")
    assert {each["period"]: each["fit"] for each in found["budgets"]} == {
        "day": "too_small",
        "total": "fits",
    }
    assert {each["name"] for each in found["budgets"]} == {"budget of the project"}


@pytest.mark.parametrize(
    ("left", "counts_simulated", "is_priced", "fit"),
    [
        (0, False, True, "too_small"),
        (9, False, True, "too_small"),
        (10, False, True, "may_run_out"),
        (99, False, True, "may_run_out"),
        (100, False, True, "fits"),
        (100, False, False, "may_run_out"),
        (100, True, True, "may_run_out"),
        (300, True, True, "fits"),
    ],
)
def test_a_budget_fits_one_iteration_at_least_and_all_at_most(
    left: int, counts_simulated: bool, is_priced: bool, fit: str
) -> None:
    budget = BudgetLeft(
        id=UUID(int=1),
        name="budget of the project",
        period="total",
        counts_simulated=counts_simulated,
        limit_nanos=1000,
        left_nanos=left,
    )
    (found,) = fit_budgets(
        [budget],
        one=Spend(real=10, simulated=20),
        every=Spend(real=100, simulated=200),
        is_priced=is_priced,
    )
    assert found.fit == fit


def test_simulated_work_fits_an_empty_budget_of_real_dollars() -> None:
    budget = BudgetLeft(
        id=UUID(int=1),
        name="budget of the project",
        period="total",
        counts_simulated=False,
        limit_nanos=1000,
        left_nanos=0,
    )
    spend = Spend(simulated=50)
    (found,) = fit_budgets([budget], one=spend, every=spend, is_priced=True)
    assert found.fit == "fits"
