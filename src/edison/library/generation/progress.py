"""Decides the next step of a generation, from the results of its batches alone."""

from collections.abc import Mapping, Set
from dataclasses import field

from edison.kit.lazy_dataclasses import dataclass
from edison.library.generation.plan import GenerationPlan
from edison.pipeline.generate.outcome import FailureReason

# After this many batches without a draft, the generation fails.
MAX_EMPTY_BATCHES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Yield:
    """Result of a batch: drafts, and rows lost per reason. `short`: never written."""

    drafts: int = 0
    malformed: int = 0
    refused: int = 0
    repeated: int = 0
    short: int = 0

    @property
    def has_rows(self) -> bool:
        return bool(self.drafts or self.refused or self.repeated)


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """Batches to start now; none while enough are in flight."""

    batches: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """`note` says why there are fewer drafts than requested; None when there are not."""

    note: str | None = None
    failure: FailureReason | None = None


def next_step(
    plan: GenerationPlan, done: Mapping[int, Yield], under_way: Set[int], *, at_once: int
) -> Next | Finished:
    """Batches to start now, so that at most `at_once` are in flight."""
    drafts = sum(each.drafts for each in done.values())
    if drafts >= plan.count:
        return Finished()
    if drafts == 0 and len(done) >= MAX_EMPTY_BATCHES:
        return _over(plan, done, drafts)
    begun = done.keys() | under_way
    left = [number for number in range(plan.planned_batches) if number not in begun]
    if not left and not _is_exhausted(plan, done):
        missing = -(-(plan.count - drafts) // plan.batch_size) - len(under_way)
        more = range(plan.planned_batches, plan.most_batches)
        left = [number for number in more if number not in begun][: max(0, missing)]
    if not left and not under_way:
        return _over(plan, done, drafts)
    return Next(batches=left[: max(0, at_once - len(under_way))])


def _is_exhausted(plan: GenerationPlan, done: Mapping[int, Yield]) -> bool:
    """The last extra batch produced no new draft."""
    extra = [number for number in done if number >= plan.planned_batches]
    return bool(extra) and done[max(extra)].drafts == 0


def _over(plan: GenerationPlan, done: Mapping[int, Yield], drafts: int) -> Finished:
    """No drafts at all is a failure, unless the model only repeated existing cases."""
    batches = list(done.values())
    # Missing rows of a batch without any row count as unreadable.
    unread = [each for each in batches if not each.has_rows]
    lost = {
        "the model repeated itself": sum(each.repeated for each in batches),
        "the model's answers could not be read": sum(each.malformed for each in batches)
        + sum(each.short for each in unread),
        "the model's cases lacked values or did not fit": sum(each.refused for each in batches),
        "the model wrote fewer than it was asked for": sum(
            each.short for each in batches if each.has_rows
        ),
    }
    is_failure = drafts == 0 and not any(each.repeated for each in batches)
    return Finished(
        note=f"{drafts} of {plan.count}: {max(lost, key=lambda reason: lost[reason])}.",
        failure=FailureReason.MALFORMED_RESPONSE if is_failure else None,
    )
