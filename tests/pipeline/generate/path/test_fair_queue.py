"""The order in which call groups are served."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.path.fair_queue import CallGroup, FairQueue

BIG = CallGroup(key="big")
SMALL = CallGroup(key="small")
PERSON = CallGroup(key="person", is_interactive=True)
OTHER_PERSON = CallGroup(key="other person", is_interactive=True)


def fill(queue: FairQueue[str], call_group: CallGroup, count: int) -> None:
    for number in range(count):
        queue.add(call_group, f"{call_group.key} {number}")


def take_all(queue: FairQueue[str]) -> list[str]:
    return [queue.take() for _ in range(queue.size)]


def test_call_groups_take_turns() -> None:
    queue = FairQueue[str]()
    fill(queue, BIG, 4)
    fill(queue, SMALL, 2)
    assert take_all(queue) == ["big 0", "small 0", "big 1", "small 1", "big 2", "big 3"]


def test_a_returning_call_group_goes_to_the_end_of_the_round() -> None:
    queue = FairQueue[str]()
    fill(queue, BIG, 3)
    fill(queue, SMALL, 1)
    assert [queue.take(), queue.take()] == ["big 0", "small 0"]
    queue.add(SMALL, "small again")
    assert take_all(queue) == ["big 1", "small again", "big 2"]


def test_interactive_call_groups_go_first_and_leave_every_fourth_turn() -> None:
    queue = FairQueue[str]()
    fill(queue, BIG, 3)
    fill(queue, PERSON, 5)
    fill(queue, OTHER_PERSON, 2)
    assert take_all(queue) == [
        *("person 0", "other person 0", "person 1", "big 0"),
        *("other person 1", "person 2", "person 3", "big 1"),
        *("person 4", "big 2"),
    ]


def test_discarding_a_waiter_leaves_nothing_behind() -> None:
    queue = FairQueue[str]()
    fill(queue, BIG, 2)
    fill(queue, SMALL, 1)
    queue.discard(BIG, "big 0")
    queue.discard(BIG, "big 0")
    queue.discard(SMALL, "small 0")
    queue.discard(PERSON, "nobody")
    assert (queue.size, list(queue)) == (1, ["big 1"])
    assert take_all(queue) == ["big 1"]


def test_the_oldest_waiters_of_every_call_group_can_be_dropped() -> None:
    queue = FairQueue[str]()
    fill(queue, BIG, 3)
    fill(queue, SMALL, 1)
    fill(queue, PERSON, 2)
    queue.drop_while(lambda waiting: waiting.endswith("0"))
    assert list(queue) == ["person 1", "big 1", "big 2"]
    assert queue.size == 3


def test_taking_from_an_empty_queue_raises() -> None:
    with pytest.raises(StopIteration):
        FairQueue[str]().take()


FLOWS = [CallGroup(key=str(number), is_interactive=number < 2) for number in range(5)]


@given(st.lists(st.tuples(st.sampled_from(["add", "take", "leave"]), st.sampled_from(FLOWS))))
def test_no_group_waits_longer_than_four_rounds(steps: list[tuple[str, CallGroup]]) -> None:
    """While a group waits, each other group takes at most four turns for each of its own."""
    queue = FairQueue[tuple[CallGroup, int]]()
    waiting: dict[CallGroup, list[int]] = {call_group: [] for call_group in FLOWS}
    passed_over = dict.fromkeys(FLOWS, 0)
    for number, (step, call_group) in enumerate(steps):
        if step == "add":
            queue.add(call_group, (call_group, number))
            waiting[call_group].append(number)
        elif step == "leave" and waiting[call_group]:
            queue.discard(call_group, (call_group, waiting[call_group].pop()))
        elif step == "take" and queue.size:
            taken, oldest = queue.take()
            assert waiting[taken].pop(0) == oldest
            for other in FLOWS:
                passed_over[other] = passed_over[other] + 1 if waiting[other] else 0
            passed_over[taken] = 0
        assert queue.size == sum(map(len, waiting.values()))
        assert max(passed_over.values()) < 4 * len(FLOWS)
