"""Candidates that change the examples or the system text."""

from typing import Any

from edison.library.datasets.contents import CaseContents, Split
from edison.library.datasets.models import Dataset
from tests.factories.datasets import add_cases, make_dataset
from tests.slices.experiments.lab import RULES, TEXT, diff_adding
from tests.slices.optimizations.workshop import HOLDOUT, TRAIN, Workshop


async def test_training_cases_become_examples_and_nothing_else_changes(shop: Workshop) -> None:
    greeting = {"question": "Hello?"}
    dataset = await make_dataset(shop.app, [greeting], project=shop.dataset.project)
    async with shop.app.state.database.write() as session:
        await add_cases(
            session,
            await session.get_one(Dataset, dataset.id),
            [
                CaseContents(
                    inputs={"question": f"Where is parcel {number}?"},
                    expected=f"Parcel {number}. {RULES[0]}",
                    split=Split.TRAIN if number < TRAIN else Split.HOLDOUT,
                )
                for number in range(TRAIN + HOLDOUT)
            ],
        )
    strategy = {"kind": "few_shot", "options": {"candidates": 2, "examples": 2}}
    started = await shop.start(dataset_id=str(dataset.id), strategy=strategy, generations=1)
    ended = await shop.until_ended(started)
    assert (ended["outcome"], ended["finalist"]) == ("promoted", 2), ended
    assert shop.script.asked.count("refiner") == 0
    found = await shop.get(f"/optimizations/{ended['id']}/candidates/2")
    assert (found["text"], found["system"], found["base"]["few_shots"]) == (TEXT, None, [])
    shown = {each["user"]: each["assistant"] for each in found["few_shots"]}
    assert len(shown) == 2
    training = {f"Where is parcel {at}?": f"Parcel {at}. {RULES[0]}" for at in range(TRAIN)}
    assert shown.items() <= training.items()
    await shop.do(f"/suggestions/{ended['suggestion_id']}/approve")
    assert (await _latest(shop))["few_shots"] == found["few_shots"]


async def test_a_suggestion_may_change_text_system_and_examples_at_once(shop: Workshop) -> None:
    shop.script.said = [
        f"<diff>\n{diff_adding(RULES[0])}\n</diff>\n"
        f"<system_text>\nYou work at a post office. {RULES[1]}\n</system_text>\n"
        f'<few_shots>\n[{{"user": "Hello?", "assistant": "{RULES[2]}"}}]\n</few_shots>\n'
        "<note>\nAll at once.\n</note>"
    ]
    ended = await shop.until_ended(await shop.start(generations=1))
    assert (ended["outcome"], ended["finalist"]) == ("promoted", 2), ended
    # Three rules of a fifth of Tone each, which weighs 0.6.
    assert round(ended["gate"]["difference"], 6) == 0.36
    await shop.do(f"/suggestions/{ended['suggestion_id']}/approve")
    version = await _latest(shop)
    assert version["text"] == TEXT.replace("paragraph.", f"paragraph.\n{RULES[0]}")
    assert version["system"] == f"You work at a post office. {RULES[1]}"
    assert version["few_shots"] == [{"user": "Hello?", "assistant": RULES[2]}]


async def _latest(shop: Workshop) -> dict[str, Any]:
    latest = (await shop.get(f"/prompts/{shop.prompt.id}/versions"))["items"][0]
    return dict(await shop.get(f"/prompts/{shop.prompt.id}/versions/{latest['id']}"))
