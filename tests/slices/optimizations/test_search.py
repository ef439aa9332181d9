"""Optimizations from start to end: promotion, refusal, stops, money, and approval."""

from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from edison.loops.optimizations.drive import OptimizationTools, drive
from edison.workspace.budgets.models import LedgerEntry
from tests.slices.experiments.lab import RULES
from tests.slices.optimizations.workshop import HOLDOUT, TRAIN, Workshop


async def test_a_winner_is_promoted_and_becomes_a_version_after_approval(shop: Workshop) -> None:
    ended = await shop.until_ended(await shop.start())
    assert (ended["state"], ended["outcome"], ended["stop_reason"]) == (
        "completed",
        "promoted",
        "generations",
    ), ended
    # "No change" and "state the rubric" take part; the refiner adds one rule per generation.
    origins = [(each["generation"], each["origin"]) for each in ended["candidate_list"]]
    assert origins == [(0, "base"), (0, "rubric"), (1, "strategy"), (2, "strategy")]
    assert ended["finalist"] == 3
    gate = ended["gate"]
    assert (gate["reason"], gate["look"], gate["cases"]) == ("better", 1, HOLDOUT)
    # Each rule is a fifth of Tone, which weighs 0.6.
    assert round(gate["difference"], 6) == round(gate["train_gain"], 6) == 0.24
    assert [each["kind"] for each in ended["rounds"]] == ["train", "train", "train", "gate"]
    assert [each["cases"] for each in ended["rounds"]] == [TRAIN, TRAIN, TRAIN, HOLDOUT]
    assert [round(each["mean"], 2) for each in ended["progress"]] == [0.44, 0.56, 0.68]
    # Candidates are no versions.
    versions = (await shop.get(f"/prompts/{shop.prompt.id}/versions"))["items"]
    assert len(versions) == 1
    kinds = [each["kind"] for each in await shop.activity(ended)]
    assert kinds[0] == "started"
    assert kinds[-2:] == ["tested", "ended"]
    assert await shop.notices() == [
        (
            "optimization_ended",
            "Candidate 3 looked better by 0.24 on training cases; held out +0.24 (+0.08 to +0.24) "
            "on 10 cases: promoted.",
        )
    ]
    await check_rows(shop, ended)
    (waiting,) = (await shop.get("/suggestions"))["items"]
    assert waiting["id"] == ended["suggestion_id"]
    assert (waiting["experiment_id"], waiting["optimization_name"]) == (None, "Kinder replies")
    decided = await shop.do(f"/suggestions/{waiting['id']}/approve")
    assert decided["next_iteration_id"] is None
    versions = (await shop.get(f"/prompts/{shop.prompt.id}/versions"))["items"]
    assert len(versions) == 2
    latest = await shop.read(ended)
    assert (latest["suggestion_state"], latest["is_base_latest"]) == ("approved", False)


async def check_rows(shop: Workshop, ended: dict[str, Any]) -> None:
    """The ledger, the budget, a candidate, and that nothing is repeated."""
    async with shop.app.state.database.read() as session:
        nanos = await session.scalar(select(func.sum(LedgerEntry.cost_nanos)))
    assert Decimal(ended["cost_usd"]) == Decimal(nanos).scaleb(-9) > 0
    (budget,) = (await shop.get("/budgets"))["items"]
    assert Decimal(budget["spent_usd"]) == Decimal(ended["cost_usd"])
    assert (budget["scope"], budget["scope_name"]) == ("optimizer", "Kinder replies")
    found = await shop.get(f"/optimizations/{ended['id']}/candidates/2")
    assert f"+{RULES[0]}" in found["diff"]
    assert RULES[0] in found["text"]
    assert (found["parents"], len(found["scores"])) == ([0], TRAIN)
    path = f"{shop.project_url}/optimizations/{ended['id']}/candidates/99"
    assert (await shop.dataset.editor.get(path)).status_code == 404
    told = "\n".join(shop.script.requests)
    assert f"Where is parcel {TRAIN - 1}?" in told
    assert not any(f"Where is parcel {at}?" in told for at in range(TRAIN, TRAIN + HOLDOUT))
    asked = len(shop.script.asked)
    tools = OptimizationTools(database=shop.app.state.database, gateway=shop.app.state.gateway)
    await drive(tools, UUID(ended["id"]))
    assert await shop.read(ended) == ended
    assert len(shop.script.asked) == asked


async def test_a_candidate_that_is_lucky_on_training_cases_is_refused(shop: Workshop) -> None:
    shop.script.helps = False
    ended = await shop.until_ended(await shop.start(generations=1))
    assert (ended["outcome"], ended["suggestion_id"]) == ("refused", None)
    gate = ended["gate"]
    assert (gate["reason"], gate["difference"]) == ("not_better", 0)
    assert round(gate["train_gain"], 6) == 0.12
    ((kind, body),) = await shop.notices()
    assert kind == "optimization_ended"
    assert body.startswith("Candidate 2 looked better by 0.12 on training cases; held out +0.00 (")
    assert body.endswith("on 10 cases: refused.")
    assert (await shop.get("/suggestions"))["items"] == []


async def test_a_base_without_headroom_is_not_searched(shop: Workshop) -> None:
    scorer = {"kind": "contains", "options": {"phrases": ["Parcel"]}}
    ended = await shop.until_ended(await shop.start(scorers=[scorer]))
    assert (ended["outcome"], ended["stop_reason"]) == ("no_headroom", "no_headroom")
    assert len(ended["rounds"]) == 1
    assert shop.script.asked.count("refiner") == 0


async def test_a_race_measures_in_stages_and_drops_losers(shop: Workshop) -> None:
    strategy = shop.strategy("race", candidates=2, first_cases=4, second_cases=6)
    ended = await shop.until_ended(await shop.start(strategy=strategy))
    stages = [(each["generation"], each["stage"], each["cases"]) for each in ended["rounds"][:-1]]
    assert stages == [(0, 1, TRAIN), (1, 1, 4), (1, 2, 6), (1, 3, TRAIN)]
    assert ended["stop_reason"] == "no_candidates"
    assert ended["outcome"] == "promoted"


async def test_a_copy_has_the_same_seed_and_the_same_winner(shop: Workshop) -> None:
    first = await shop.until_ended(await shop.start(generations=1))
    copy = await shop.do(f"/optimizations/{first['id']}/duplicate")
    assert (copy["state"], copy["seed"], copy["name"]) == ("draft", 7, "Kinder replies copy")
    await shop.do(f"/optimizations/{copy['id']}/start")
    second = await shop.until_ended(copy)
    assert second["finalist"] == first["finalist"]
    # The second look at the same held-out cases has less alpha.
    assert [each["gate"]["look"] for each in (first, second)] == [1, 2]
    assert second["gate"]["alpha"] < first["gate"]["alpha"]
    assert len((await shop.get("/optimizations"))["items"]) == 2


async def test_a_strategy_written_by_the_howto_can_search(
    shop: Workshop, strategy_of_the_howto: str
) -> None:
    strategy = {"kind": strategy_of_the_howto, "options": {}}
    ended = await shop.until_ended(await shop.start(strategy=strategy))
    assert (ended["strategy"], ended["stop_reason"]) == ("Unchanged", "no_candidates")
    (proposed,) = [each for each in await shop.activity(ended) if each["kind"] == "proposed"]
    assert proposed["data"]["unchanged"] == ["The prompt stays as it is."]
