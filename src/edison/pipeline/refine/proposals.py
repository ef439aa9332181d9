"""What strategies share: targets of several edits, concurrent requests, and distinct results."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence

from edison.pipeline.refine.suggestion import NoChange, Proposal, SuggestedEdit
from edison.pipeline.refine.weakness import WeakCriterion


async def gather_proposals(requests: Iterable[Coroutine[None, None, Proposal]]) -> list[Proposal]:
    """Requests all proposals at once. All requests finish even if one exceeds the budget: the
    answers of the others are already paid for.
    """
    started: list[asyncio.Task[Proposal]] = []
    try:
        for request in requests:
            started.append(asyncio.create_task(request))
            # Writing a request takes milliseconds, so the event loop gets a turn after each.
            await asyncio.sleep(0)
        ended = await asyncio.gather(*started, return_exceptions=True)
    except asyncio.CancelledError:
        for each in started:
            each.cancel()
        raise
    found: list[Proposal] = []
    for proposal in ended:
        if isinstance(proposal, BaseException):
            raise proposal
        found.append(proposal)
    return found


def aims_of(weak: Sequence[WeakCriterion], count: int) -> list[Sequence[WeakCriterion]]:
    """A single edit targets all weak criteria. Of several, the first ones target one each, the next
    one all of them, and so on.
    """
    single = [(one,) for one in weak] if len(weak) > 1 and count > 1 else []
    rounds = [*single, tuple(weak)]
    return [rounds[turn % len(rounds)] for turn in range(count)]


def distinct_proposals(proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """Of edits with the same result, keeps the first. Keeps one NoChange, and only if there is no
    edit.
    """
    found: dict[object, Proposal] = {}
    for proposal in proposals:
        key: object = proposal
        if isinstance(proposal, SuggestedEdit):
            edited = proposal.prompt
            key = (edited.text, edited.system, edited.few_shots)
        elif isinstance(proposal, NoChange):
            key = NoChange
        found.setdefault(key, proposal)
    if any(isinstance(proposal, SuggestedEdit) for proposal in found.values()):
        found.pop(NoChange, None)
    return tuple(found.values())
