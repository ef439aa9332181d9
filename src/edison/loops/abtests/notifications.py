"""The notification about an A/B test that has ended."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.loops.abtests.models import AbTest
from edison.loops.abtests.schemas import AbResultRead
from edison.loops.abtests.states import AbTestState
from edison.pipeline.aggregate.ab_test import AbRecommendation
from edison.workspace.notifications import service as notifications
from edison.workspace.notifications.schemas import News
from edison.workspace.notifications.types import NotificationKind, NotificationSource

AB_TEST_DECIDED = NotificationKind(
    key="ab_test_decided",
    label="A/B test decided",
    hint="An A/B test ended, with its recommendation or the reason why it has none.",
    tone="accent",
    icon="done",
    by_email=True,
)
NOTIFICATIONS = NotificationSource(
    entity_type="ab_test",
    path=lambda subject: f"/ab-tests/{subject.entity[1]}",
    kinds=(AB_TEST_DECIDED,),
)
_ADVICE = {
    AbRecommendation.TAKE_SECOND: "Take the second: it is better.",
    AbRecommendation.KEEP_FIRST: "Keep the first: the second is worse.",
    AbRecommendation.EITHER: "Either will do: the difference is too small to matter.",
    AbRecommendation.CANNOT_TELL: "The data cannot tell which is better.",
}
_TITLES = {
    AbTestState.DECIDED: "{} is decided",
    AbTestState.COMPLETE: "{} is complete",
    AbTestState.FUTILE: "{} ended: no difference that matters is likely",
    AbTestState.OUT_OF_MONEY: "{} ran out of money",
    AbTestState.FAILED: "{} failed",
}


async def notify_ended(session: AsyncSession, test: AbTest) -> None:
    """A test that a person stopped needs no notification."""
    title = _TITLES.get(AbTestState(test.state))
    if title is None:
        return
    await notifications.notify_members(
        session,
        News(
            project_id=test.project_id,
            kind=AB_TEST_DECIDED,
            entity=("ab_test", test.id),
            title=title.format(test.name),
            body=_body(test),
        ),
    )


def _body(test: AbTest) -> str:
    if test.state == AbTestState.FAILED or test.result is None:
        return test.message or "No answer has a score."
    result = AbResultRead.model_validate(test.result)
    advice = _ADVICE[result.recommendation]
    if result.difference is None:
        return advice
    # In points out of ten, as on the pages.
    said = f"{advice} Difference {10 * result.difference:+.1f} points over {result.pairs} pairs"
    if result.low is not None and result.high is not None:
        said += f", between {10 * result.low:+.1f} and {10 * result.high:+.1f}"
    return f"{said}."
