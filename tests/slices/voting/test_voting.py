"""Blind voting through the API."""

import asyncio
import json
from collections import Counter
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from edison.kit import clock
from edison.runs.store.batch import on_outputs_replaced
from edison.runs.store.models import Run, RunVariant
from edison.runs.store.states import RunState
from edison.runs.voting import pair_order, rounds
from edison.workspace.events.models import Event
from edison.workspace.projects.models import ProjectMember
from tests.conftest import TurnableClock
from tests.factories.datasets import make_dataset
from tests.factories.projects import MadeMember
from tests.factories.prompts import make_prompt, make_version
from tests.factories.voting import make_answered_run
from tests.slices.voting.conftest import CASES, Hall
from tests.support.browser import error_of, fields_of

PAIRS = 3 * CASES


async def test_a_round_rates_models_and_reveals_them_only_when_closed(hall: Hall) -> None:
    round_id = await hall.make_round()
    steps = await hall.vote_all(hall.ada, round_id, best=2)
    done = steps[-1]["round"]
    assert (done["match_count"], done["seat_count"], done["vote_count"]) == (PAIRS, PAIRS, PAIRS)
    url = f"{hall.url}/voting-rounds/{round_id}/results"
    refused = await hall.editor.browser.get(url)
    assert (refused.status_code, error_of(refused)["code"]) == (409, "VOTING_OPEN")

    found = await hall.close(round_id)

    assert found["run_id"] == str(hall.run.id)
    best, *others = found["models"]
    assert best["model_id"] == str(hall.models[2].id)
    assert (best["wins"], best["losses"], best["ties"]) == (2 * CASES, 0, 0)
    assert {(each["losses"], each["ties"]) for each in others} == {(CASES, CASES)}
    assert best["low"] > 1000 > max(each["high"] for each in others)
    assert found["consistency"] in (1.0, None)
    assert [each["votes"] for each in found["voters"]] == [PAIRS]
    late = await hall.post(hall.ada, round_id, "next")
    assert (late.status_code, error_of(late)["code"]) == (409, "VOTING_CLOSED")
    again = await hall.post(hall.editor, round_id, "close")
    assert again.status_code == 409


async def test_retention_leaves_runs_with_votes(hall: Hall) -> None:
    old = {"state": RunState.COMPLETED, "ended_at": clock.now() - timedelta(days=100)}
    async with hall.app.state.database.write() as session:
        await session.execute(update(Run).where(Run.id == hall.run.id).values(old))
    before = (await hall.editor.browser.get(f"{hall.url}/retention")).json()
    assert (before["to_archive"]["runs"], before["evidence_runs"]) == (1, 0)
    await hall.make_round()
    after = (await hall.editor.browser.get(f"{hall.url}/retention")).json()
    assert (after["to_archive"]["runs"], after["evidence_runs"]) == (0, 1)


async def test_nothing_before_the_end_reveals_a_model(hall: Hall) -> None:
    """Every body, header and event of a round is searched for the models' names and ids."""
    said: list[str] = []

    async def keep(response: Any) -> None:
        await response.aread()
        said.append(response.text)
        said.extend(f"{name}: {value}" for name, value in response.headers.items())

    for who in (hall.editor, hall.ada):
        who.browser.event_hooks["response"].append(keep)
    round_id = await hall.make_round()
    step = await hall.next(hall.ada, round_id)
    step = (await hall.post(hall.ada, round_id, f"matches/{step['match']['id']}/skip")).json()
    await hall.vote(hall.ada, round_id, step, "first")
    await hall.post(hall.ada, round_id, "undo")
    await hall.vote_all(hall.ada, round_id, best=1)
    for who in (hall.editor, hall.ada):
        for path in ("", f"/{round_id}", f"/{round_id}/results"):
            await who.browser.get(f"{hall.url}/voting-rounds{path}")
    async with hall.app.state.database.read() as session:
        events = (await session.scalars(select(Event))).all()
    kinds = {event.kind for event in events}
    said += [json.dumps([event.kind, event.data]) for event in events]

    assert "voting.changed" in kinds
    assert len(said) > 2 * PAIRS
    secrets = {str(hall.run.id), *map(str, hall.run.outputs.values())}
    for model in hall.models:
        secrets |= {str(model.id), model.display_name, model.provider_model}
    found = {secret for secret in secrets for text in said if secret.lower() in text.lower()}
    assert found == set()


async def test_the_order_differs_by_person_and_is_balanced(hall: Hall) -> None:
    round_id = await hall.make_round(people_per_match=2)
    shown: dict[str, dict[UUID, bool]] = {"ada": {}, "bob": {}}
    for name, who in (("ada", hall.ada), ("bob", hall.bob)):
        for step in await hall.vote_all(who, round_id, best=0):
            if (match := step["match"]) is not None and match["turn"] == 1:
                shown[name][UUID(match["id"])] = match["first"] < match["second"]
    assert shown["ada"].keys() == shown["bob"].keys()
    assert len(shown["ada"]) == PAIRS
    assert shown["ada"] != shown["bob"]
    for order in shown.values():
        assert 2 <= sum(order.values()) <= PAIRS - 2


async def test_pairs_come_back_reversed_and_measure_consistency(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_order, "REPEATED_OF_256", 256)
    round_id = await hall.make_round(matches=6)
    steps = await hall.vote_all(hall.ada, round_id, best=2)
    turns: dict[str, list[dict[str, Any]]] = {}
    for step in steps[:-1]:
        turns.setdefault(step["match"]["id"], []).append(step["match"])
    assert [len(each) for each in turns.values()] == [2] * 6
    for first, second in turns.values():
        assert (first["turn"], second["turn"]) == (1, 2)
        assert (first["first"], first["second"]) == (second["second"], second["first"])

    found = await hall.close(round_id)
    assert found["consistency"] == 1.0
    assert (found["voters"][0]["votes"], found["voters"][0]["repeats"]) == (6, 6)
    shown = (await hall.ada.browser.get(f"{hall.url}/voting-rounds/{round_id}")).json()
    assert (shown["vote_count"], shown["seat_count"], shown["my_votes"]) == (6, 6, 6)
    assert sum(each["wins"] + each["losses"] + each["ties"] for each in found["models"]) == 12


async def test_someone_who_always_takes_the_first_is_inconsistent(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_order, "REPEATED_OF_256", 256)
    round_id = await hall.make_round(matches=6)
    step = await hall.next(hall.ada, round_id)
    while step["match"] is not None:
        step = (await hall.vote(hall.ada, round_id, step, "first")).json()
    assert (await hall.close(round_id))["consistency"] == 0.0


def test_about_one_pair_in_twenty_comes_back() -> None:
    user_id = UUID(int=7)
    back = sum(pair_order.comes_back("key", UUID(int=at), user_id) for at in range(4000))
    assert 0.035 <= back / 4000 <= 0.07


async def test_a_seat_is_taken_once_and_freed_after_its_lease(
    hall: Hall, turnable_clock: TurnableClock
) -> None:
    round_id = await hall.make_round(matches=1)
    mine = await hall.next(hall.ada, round_id)
    assert (await hall.next(hall.bob, round_id))["match"] is None
    assert (await hall.next(hall.ada, round_id))["match"]["id"] == mine["match"]["id"]

    turnable_clock.advance(minutes=11)
    taken = await hall.next(hall.bob, round_id)
    assert taken["match"]["id"] == mine["match"]["id"]
    late = await hall.vote(hall.ada, round_id, mine, "first")
    assert late.status_code == 409
    assert (await hall.vote(hall.bob, round_id, taken, "second")).status_code == 200
    twice = await hall.vote(hall.bob, round_id, taken, "second")
    assert twice.status_code == 409
    assert twice.json()["error"]["message"]
    seen = await hall.editor.browser.get(f"{hall.url}/voting-rounds/{round_id}")
    assert seen.json()["vote_count"] == 1


async def test_a_seat_wanted_by_all_at_once_goes_to_one_person(hall: Hall) -> None:
    round_id = await hall.make_round(matches=1)
    people = (hall.ada, hall.bob, hall.editor)
    steps = await asyncio.gather(*(hall.next(who, round_id) for who in people for _ in range(2)))
    claimed = [at // 2 for at, step in enumerate(steps) if step["match"] is not None]
    assert len(set(claimed)) == 1

    holder = people[claimed[0]]
    step = await hall.next(holder, round_id)
    votes = await asyncio.gather(*(hall.vote(holder, round_id, step, "first") for _ in range(4)))
    assert sorted(each.status_code for each in votes) == [200, 409, 409, 409]
    seen = await hall.editor.browser.get(f"{hall.url}/voting-rounds/{round_id}")
    assert (seen.json()["vote_count"], seen.json()["seat_count"]) == (1, 1)


async def test_two_seats_of_a_pair_go_to_two_people(hall: Hall) -> None:
    round_id = await hall.make_round(matches=1, people_per_match=2)
    people = (hall.ada, hall.bob, hall.editor)
    steps = await asyncio.gather(*(hall.next(who, round_id) for who in people for _ in range(2)))
    holders = {at // 2 for at, step in enumerate(steps) if step["match"] is not None}
    assert len(holders) == 2


async def test_undo_takes_back_votes_and_skips_in_order(hall: Hall) -> None:
    round_id = await hall.make_round()
    nothing = await hall.post(hall.ada, round_id, "undo")
    assert nothing.status_code == 409
    first = await hall.next(hall.ada, round_id)
    second = (await hall.vote(hall.ada, round_id, first, "both_bad")).json()
    await hall.post(hall.ada, round_id, f"matches/{second['match']['id']}/skip")

    back = (await hall.post(hall.ada, round_id, "undo")).json()
    assert back["match"]["id"] == second["match"]["id"]
    back = (await hall.post(hall.ada, round_id, "undo")).json()
    assert back["match"]["id"] == first["match"]["id"]
    assert (back["round"]["vote_count"], back["round"]["my_votes"]) == (0, 0)
    assert (await hall.vote(hall.ada, round_id, back, "tie")).json()["round"]["my_votes"] == 1


async def test_votes_of_a_removed_member_stay_and_no_more_are_taken(hall: Hall) -> None:
    round_id = await hall.make_round(matches=4)
    step = await hall.next(hall.ada, round_id)
    step = (await hall.vote(hall.ada, round_id, step, "first")).json()
    async with hall.app.state.database.write() as session:
        member = await session.scalar(
            select(ProjectMember).where(ProjectMember.user_id == hall.ada.user.id)
        )
        await session.delete(member)

    refused = await hall.vote(hall.ada, round_id, step, "first")
    assert refused.status_code in (403, 404)
    found = await hall.close(round_id)
    assert [each["votes"] for each in found["voters"]] == [1]


async def test_answers_that_name_a_model_or_are_identical_are_left_out(hall: Hall) -> None:
    def text_of(case: int, variant: int) -> str:
        if case == 0 and variant == 0:
            return "As sim-small, I think so."
        if case == 1 and variant == 1:
            return "I am ChatGPT-5."
        return "The same." if case == 2 else f"Answer {variant} to {case} in Egypt."

    run = await make_answered_run(hall.app, hall.project.id, hall.models, cases=4, text_of=text_of)
    response = await hall.create(run_id=str(run.id))
    made = response.json()
    assert (made["match_count"], made["named_count"], made["identical_count"]) == (5, 4, 3)

    same = await make_answered_run(
        hall.app, hall.project.id, hall.models, cases=2, text_of=lambda *_: "Yes."
    )
    refused = await hall.create(run_id=str(same.id))
    assert (refused.status_code, error_of(refused)["code"]) == (409, "NOTHING_TO_VOTE_ON")


async def test_one_model_only_and_unfinished_runs_are_refused(hall: Hall) -> None:
    alone = await make_answered_run(hall.app, hall.project.id, [hall.models[0]] * 2, cases=2)
    assert (await hall.create(run_id=str(alone.id))).status_code == 409
    async with hall.app.state.database.write() as session:
        await session.execute(update(Run).where(Run.id == alone.id).values(state="cancelled"))
    assert fields_of(await hall.create(run_id=str(alone.id))) == {"run_id"}
    assert fields_of(await hall.create(run_id=str(UUID(int=1)))) == {"run_id"}
    assert "matches" in fields_of(await hall.create(matches=0))


async def test_the_least_certain_pair_comes_next(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All models get as many votes. Pairs that come back are not chosen by certainty. The order of
    the cases and the answer shown first are drawn; in some orders it takes longer.
    """
    monkeypatch.setattr(pair_order, "REPEATED_OF_256", 0)
    matches: dict[UUID, int] = {}

    def alternate(_key: str, match_id: UUID, _user_id: UUID) -> bytes:
        return bytes([matches.setdefault(match_id, len(matches)) % 2, 0])

    monkeypatch.setattr(pair_order, "_digest", alternate)
    monkeypatch.setattr(rounds, "secrets", SimpleNamespace(token_hex=lambda _: "order"))
    round_id = await hall.make_round(people_per_match=2)
    seen: Counter[str] = Counter()
    step = await hall.next(hall.ada, round_id)
    for _ in range(12):
        match = step["match"]
        seen.update({match["first"].split()[1], match["second"].split()[1]})
        step = (await hall.vote(hall.ada, round_id, step, "tie")).json()
    assert set(seen.values()) == {8}


async def test_a_replaced_answer_takes_its_votes_with_it(hall: Hall) -> None:
    round_id = await hall.make_round()
    await hall.vote_all(hall.ada, round_id, best=0)
    async with hall.app.state.database.write() as session:
        await on_outputs_replaced.fire(session, [hall.run.outputs[0, 0]])
    seen = (await hall.editor.browser.get(f"{hall.url}/voting-rounds/{round_id}")).json()
    assert (seen["match_count"], seen["vote_count"]) == (PAIRS - 2, PAIRS - 2)


async def test_rounds_are_listed_and_deleted(hall: Hall) -> None:
    round_id = await hall.make_round(name="First")

    async def names(who: MadeMember) -> list[str]:
        found = await who.browser.get(f"{hall.url}/voting-rounds")
        return [each["name"] for each in found.json()["items"]]

    assert await names(hall.bob) == ["First"]
    address = f"{hall.url}/voting-rounds/{round_id}"
    assert (await hall.ada.browser.patch(address, json={"name": "Mine"})).status_code == 403
    assert fields_of(await hall.editor.browser.patch(address, json={"name": ""})) == {"name"}
    renamed = await hall.editor.browser.patch(address, json={"name": "Second"})
    assert renamed.json()["name"] == "Second"
    assert await names(hall.bob) == ["Second"]
    assert (
        await hall.ada.browser.delete(f"{hall.url}/voting-rounds/{round_id}")
    ).status_code == 403
    done = await hall.editor.browser.delete(f"{hall.url}/voting-rounds/{round_id}")
    assert done.status_code == 204
    assert await names(hall.bob) == []


async def test_the_board_shows_the_rating_of_people_after_the_round(hall: Hall) -> None:
    dataset = await make_dataset(hall.app, [{"question": "Why?"}], project=hall.project)
    prompt = await make_prompt(hall.app, hall.project.id, name="Reply")
    version = await make_version(hall.app, prompt)
    async with hall.app.state.database.write() as session:
        of_run = Run.id == hall.run.id
        await session.execute(update(Run).where(of_run).values(dataset_id=dataset.id))
        await session.execute(
            update(RunVariant).where(RunVariant.run_id == hall.run.id).values(version_id=version.id)
        )
    round_id = await hall.make_round()
    await hall.vote_all(hall.ada, round_id, best=2)

    async def rated() -> dict[str, Any]:
        found = await hall.editor.browser.get(
            f"{hall.url}/arena/board", params={"dataset_id": str(dataset.id)}
        )
        assert found.status_code == 200, found.text
        return {row["model_id"]: row["people"] for row in found.json()["rows"]}

    assert set((await rated()).values()) == {None}
    await hall.close(round_id)
    people = await rated()
    best = people[str(hall.models[2].id)]
    assert best["points"] > 1000
    assert best["comparisons"] == 2 * CASES
