"""Converts suggestions to response schemas."""

from sqlalchemy.ext.asyncio import AsyncSession

from edison.library.prompts import service as prompts
from edison.library.prompts.models import PromptVersion
from edison.library.prompts.schemas import VersionReference
from edison.loops.experiments.iterations import decide
from edison.loops.experiments.models import Suggestion
from edison.loops.experiments.schemas.suggestions import TrialRead
from edison.loops.reviews.models import Review, ReviewComment
from edison.loops.reviews.repository import Reviews, SuggestionSource
from edison.loops.reviews.schemas import (
    CommentRead,
    PartChange,
    PartsRead,
    ReviewRead,
    SuggestionRead,
    SuggestionSummary,
)
from edison.pipeline.refine.parts import diff_parts, with_parts
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.render.template import Syntax


def summarise(
    suggestion: Suggestion, place: SuggestionSource, author: str | None, decided_by: str | None
) -> SuggestionSummary:
    return SuggestionSummary.model_validate(
        _values(suggestion, **place._asdict(), author=author, decided_by=decided_by)
    )


def _values(suggestion: Suggestion, **extra: object) -> dict[str, object]:
    """`extra` are fields that the row does not have."""
    names = set(SuggestionSummary.model_fields) - set(extra)
    return {**{name: getattr(suggestion, name) for name in names}, **extra}


def did_worse(suggestion: Suggestion) -> bool:
    """Whether it was tried on the training cases, and did worse than the version it changes."""
    if suggestion.trial is None:
        return False
    difference = TrialRead.model_validate(suggestion.trial).comparison.difference.value
    return difference is not None and difference < 0


async def describe(session: AsyncSession, suggestion: Suggestion) -> SuggestionRead:
    reviews = Reviews(session)
    place, experiment, optimization = await reviews.get_place(suggestion)
    base = (
        None
        if suggestion.base_version_id is None
        else await reviews.find_version(suggestion.base_version_id)
    )
    origin = experiment or optimization
    prompt_id = None if origin is None else origin.prompt_id
    if base is not None:
        prompt_id = base.prompt_id
    latest = None if prompt_id is None else await reviews.find_latest_version(prompt_id)
    review = await reviews.find_review(suggestion.id)
    return SuggestionRead.model_validate(
        _values(
            suggestion,
            **place._asdict(),
            author=await reviews.find_email(suggestion.author_id),
            decided_by=None if review is None else review.reviewer,
        )
        | {
            "prompt_id": prompt_id,
            "syntax": Syntax.DOUBLE if base is None else base.syntax,
            "variables": [] if base is None else prompts.template_of(base).variables(),
            "base": _reference(base),
            "latest": _reference(latest),
            "is_base_latest": base is not None
            and await decide.is_latest(session, suggestion, base),
            "diff": suggestion.diff,
            **_contents(base, suggestion),
            "exemplars": suggestion.exemplars,
            "is_repaired": suggestion.is_repaired,
            "text_name": suggestion.text_name,
            "dataset_id": None if origin is None else origin.dataset_id,
            "review": None if review is None else _review(review),
            "comment_count": await reviews.count_comments(suggestion.id),
        }
    )


def _contents(base: PromptVersion | None, suggestion: Suggestion) -> dict[str, object]:
    if base is None:
        return {"before": None, "after": None, "changes": []}
    before = prompts.template_of(base)
    after = with_parts(before, suggestion.parts)
    return {
        "before": PartsRead.model_validate(before),
        "after": PartsRead.model_validate(after),
        "changes": read_changes(before, after),
    }


def read_changes(before: PromptTemplate, after: PromptTemplate) -> list[PartChange]:
    return [PartChange.model_validate(each) for each in diff_parts(before, after)]


def read_comment(comment: ReviewComment, author: str | None) -> CommentRead:
    return CommentRead(
        id=comment.id, author=author, text=comment.text, created_at=comment.created_at
    )


def _review(review: Review) -> ReviewRead:
    return ReviewRead.model_validate(review)


def _reference(version: PromptVersion | None) -> VersionReference | None:
    return None if version is None else VersionReference.model_validate(version)
