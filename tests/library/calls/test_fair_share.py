"""Allocation of a credential's slots to processes."""

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.library.calls.fair_share import NOTHING, SlotClaim, allocate, deal


@pytest.mark.parametrize(
    ("wants", "dealt"),
    [
        ([3], [8]),
        ([1, 1], [4, 4]),
        ([20, 1], [7, 1]),
        ([20, 20, 20], [3, 3, 2]),
        ([20, 2, 20], [3, 2, 3]),
        ([1] * 10, [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]),
        ([], []),
    ],
)
def test_eight_slots_are_dealt_out_evenly_and_none_is_left_over(
    wants: list[int], dealt: list[int]
) -> None:
    assert deal(wants, limit=8) == dealt


def test_the_first_process_takes_all_slots_and_the_next_only_free_ones() -> None:
    first = allocate(NOTHING, [], limit=8, wanted=1, under_way=0, had_its_turn=False)
    assert (first.claim, first.width) == (SlotClaim(slots=8, wanted=1, turn=1), 8)
    second = allocate(NOTHING, [first.claim], limit=8, wanted=9, under_way=0, had_its_turn=False)
    assert second.claim == SlotClaim(slots=0, wanted=9, turn=2)
    assert (second.width, second.is_short) == (0, True)


def test_slots_with_calls_in_them_are_kept_until_the_calls_end_but_not_filled_again() -> None:
    own = SlotClaim(slots=8, wanted=8, turn=1)
    other = SlotClaim(slots=0, wanted=8, turn=2)
    part = allocate(own, [other], limit=8, wanted=8, under_way=7, had_its_turn=False)
    assert (part.claim.slots, part.width, part.is_short) == (7, 4, False)


def test_a_process_without_demand_holds_no_slots() -> None:
    own = SlotClaim(slots=3, wanted=2, turn=1)
    part = allocate(own, [], limit=8, wanted=0, under_way=0, had_its_turn=True)
    assert (part.claim, part.width) == (NOTHING, 0)


def test_a_process_that_had_its_turn_yields_to_processes_without_slots() -> None:
    own = SlotClaim(slots=1, wanted=1, turn=1)
    others = [SlotClaim(slots=0, wanted=1, turn=2), SlotClaim(slots=0, wanted=1, turn=3)]
    stays = allocate(own, others, limit=1, wanted=1, under_way=0, had_its_turn=False)
    assert stays.claim == own
    goes = allocate(own, others, limit=1, wanted=1, under_way=0, had_its_turn=True)
    assert goes.claim == SlotClaim(slots=0, wanted=1, turn=4)
    next_one = allocate(
        others[0], [goes.claim, others[1]], limit=1, wanted=1, under_way=0, had_its_turn=False
    )
    assert next_one.claim == SlotClaim(slots=1, wanted=1, turn=2)


def test_turns_do_not_change_while_there_are_slots_for_all() -> None:
    own = SlotClaim(slots=1, wanted=5, turn=1)
    other = SlotClaim(slots=1, wanted=5, turn=2)
    part = allocate(own, [other], limit=2, wanted=5, under_way=1, had_its_turn=True)
    assert part.claim == own


@dataclass
class Process:
    claim: SlotClaim = NOTHING
    width: int = 0
    under_way: int = 0
    wanted: int = 0
    looks_with_slots: int = 0


class Installation:
    """Processes that update their shares one at a time, as the lock enforces."""

    def __init__(self, limit: int, count: int) -> None:
        self.limit = limit
        self.processes = [Process() for _ in range(count)]

    def look(self, process: Process) -> None:
        others = [each.claim for each in self.processes if each is not process]
        part = allocate(
            process.claim,
            [claim for claim in others if claim != NOTHING],
            limit=self.limit,
            wanted=max(process.wanted, process.under_way),
            under_way=process.under_way,
            had_its_turn=process.looks_with_slots >= 2,
        )
        process.looks_with_slots = process.looks_with_slots + 1 if part.width else 0
        process.claim, process.width = part.claim, part.width
        assert sum(each.claim.slots for each in self.processes) <= self.limit
        assert all(each.under_way <= each.claim.slots for each in self.processes)

    def fill(self, process: Process) -> None:
        process.under_way = max(process.under_way, min(process.width, process.wanted))


@given(limit=st.integers(1, 9), count=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_there_are_never_more_slots_than_the_limit_and_never_more_calls_than_slots(
    limit: int, count: int, seed: int
) -> None:
    luck = random.Random(seed)  # noqa: S311 - dice
    installation = Installation(limit, count)
    for _ in range(100):
        process = luck.choice(installation.processes)
        match luck.choice(["look", "want", "fill", "end", "die"]):
            case "want":
                process.wanted = luck.randint(0, 2 * limit)
            case "fill":
                installation.fill(process)
            case "end":
                process.under_way = luck.randint(0, process.under_way)
            case "die" if luck.random() < 0.2:
                installation.processes[installation.processes.index(process)] = Process()
            case _:
                installation.look(process)


@settings(max_examples=50)
@given(limit=st.integers(1, 9), wants=st.lists(st.integers(1, 20), min_size=1, max_size=9))
def test_every_process_eventually_gets_slots(limit: int, wants: list[int]) -> None:
    installation = Installation(limit, len(wants))
    served = [0] * len(wants)
    for process, wanted in zip(installation.processes, wants, strict=True):
        process.wanted = wanted
    for _ in range(6 * len(wants)):
        for place, process in enumerate(installation.processes):
            installation.look(process)
            installation.fill(process)
            served[place] += process.width
            process.under_way = 0
    assert min(served) > 0
    if len(wants) <= limit:
        installed = [process.width for process in installation.processes]
        assert installed == deal(wants, limit=limit)
