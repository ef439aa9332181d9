"""Strategies are listed with their forms, chosen in the wizard, and used by iterations."""

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from tests.factories.datasets import add_cases
from tests.slices.experiments.lab import Lab


async def test_strategies_are_listed_with_the_form_of_their_options(lab: Lab) -> None:
    listed = {each["kind"]: each for each in await lab.get("/optimizations/kinds")}
    assert {"few_shot", "refine"} <= set(listed)
    refine, few_shot = listed["refine"], listed["few_shot"]
    assert (refine["title"], refine["uses_refiner"]) == ("Refine", True)
    assert set(refine["options_schema"]["properties"]) == {"temperature", "seed", "max_tokens"}
    assert refine["options_schema"]["required"] == []
    assert few_shot["uses_refiner"] is False
    assert set(few_shot["options_schema"]["properties"]) == {"examples"}


async def test_a_strategy_is_checked_with_its_options(lab: Lab) -> None:
    made = await lab.do("/experiments", name="Parcels")
    assert made["draft"]["limits"]["strategy"] == {"kind": "refine", "options": {}}
    wrong = {
        "magic": ({}, "limits.strategy.kind"),
        "refine": ({"temperature": 9}, "limits.strategy.options.temperature"),
        "few_shot": ({"magic": 1}, "limits.strategy.options.magic"),
    }
    for kind, (options, field) in wrong.items():
        draft = lab.draft(limits={"strategy": {"kind": kind, "options": options}})
        found = await lab.do(f"/experiments/{made['id']}/estimate", draft=draft)
        assert [each["field"] for each in found["problems"]] == [field]


async def test_few_shot_suggests_training_cases_without_a_refiner(lab: Lab) -> None:
    async with lab.app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, lab.dataset.id),
            [
                CaseContents(inputs={"question": f"Box {split}?"}, expected="Here.", split=split)
                for split in (Split.TRAIN, Split.HOLDOUT)
            ],
        )
    experiment = await lab.make(
        limits={"strategy": {"kind": "few_shot", "options": {"examples": 2}}}
    )
    estimate = await lab.do(f"/experiments/{experiment['id']}/estimate")
    assert estimate["iteration"]["refine_calls"] == 0
    assert "1 suggestions per iteration are made without a model." in estimate["assumptions"]
    iteration = await lab.until(await lab.start(experiment))
    assert iteration["state"] == "reviewing", iteration
    assert "refiner" not in lab.cast.asked
    found = [await lab.suggestion(iteration, at) for at in range(len(iteration["suggestions"]))]
    (examples,) = [each for each in found if each["origin"] == "refiner"]
    assert examples["note"] == "Adds 1 training case as an example."
    assert "+Box train?" in examples["diff"]
    assert "holdout" not in examples["diff"]


async def test_a_strategy_written_by_the_howto_can_be_chosen(
    lab: Lab, strategy_of_the_howto: str
) -> None:
    kinds = {each["kind"]: each for each in await lab.get("/optimizations/kinds")}
    assert kinds[strategy_of_the_howto]["title"] == "Unchanged"
    strategy = {"kind": strategy_of_the_howto, "options": {}}
    experiment = await lab.make(limits={"strategy": strategy, "stops_without_suggestion": False})
    iteration = await lab.until(await lab.start(experiment))
    assert (iteration["state"], iteration["problem"]) == ("reviewing", "no_suggestion")
    assert iteration["suggestions"] == []
