"""Asks a model for one edit of a prompt. An edit that cannot be applied, or breaks a guard rail, is
requested a second time with all reasons; after that the refinement fails with these reasons.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from edison.pipeline.generate.call import Parameters
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import DiffProblem, make_diff
from edison.pipeline.refine.guard import check_all
from edison.pipeline.refine.optimizer import RefinerInput, SuggestionFate
from edison.pipeline.refine.patch import apply_diff
from edison.pipeline.refine.reply import read_reply
from edison.pipeline.refine.request import TEXT_NAME, refinement_request, shown_prompt
from edison.pipeline.refine.suggestion import (
    NoChange,
    Proposal,
    RefinementFailed,
    SuggestedEdit,
    SuggestionOrigin,
)
from edison.pipeline.refine.weakness import WeakCriterion
from edison.pipeline.score.inquiry import Unreadable, ask_until_readable
from edison.pipeline.score.scorer import Tools
from edison.pipeline.score.verdict import UnreadableVerdict

_WRITTEN_OUT = re.compile(r"\[U\+[0-9A-F]{4,6}\]")
_KEPT_REPLY = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Refiner:
    """A model with its parameters."""

    model_id: UUID
    parameters: Parameters
    tools: Tools

    async def refine(
        self, refiner_input: RefinerInput, targets: Sequence[WeakCriterion]
    ) -> Proposal:
        """Requests one edit that targets these criteria."""
        keys = tuple(weak.criterion.key for weak in targets)

        def read(said: str) -> SuggestedEdit | NoChange:
            return _read(said, refiner_input, keys)

        inquiry = refinement_request(refiner_input, targets)
        reply = await ask_until_readable(self.tools, self.model_id, inquiry, self.parameters, read)
        if isinstance(reply, Unreadable):
            return RefinementFailed(
                reasons=tuple(reply.problem.splitlines()),
                said=reply.said[:_KEPT_REPLY],
                targets=keys,
                is_call=reply.failure is not None,
            )
        if isinstance(reply.meaning, SuggestedEdit):
            return replace(reply.meaning, is_repaired=reply.is_repaired)
        return reply.meaning


def _read(
    said: str, refiner_input: RefinerInput, targets: tuple[str, ...]
) -> SuggestedEdit | NoChange:
    """Raises UnreadableVerdict with one line per problem."""
    reply = read_reply(said)
    prompt = refiner_input.prompt
    patched = apply_diff(prompt.text, reply.diff, shown=shown_prompt(prompt.text))
    if isinstance(patched, DiffProblem):
        raise UnreadableVerdict(patched.message)
    if patched.text == prompt.text:
        return NoChange(note=reply.note, targets=targets)
    _check(refiner_input, patched.text)
    return SuggestedEdit(
        origin=SuggestionOrigin.REFINER,
        prompt=replace(prompt, text=patched.text),
        diff=make_diff(prompt.text, patched.text),
        note=reply.note,
        targets=targets,
        remarks=patched.remarks,
        text_name=TEXT_NAME,
    )


def _check(refiner_input: RefinerInput, text: str) -> None:
    before = refiner_input.prompt.text
    change = Change(before=before, after=text, syntax=refiner_input.prompt.syntax)
    reasons = [violation.message for violation in check_all(change)]
    notes = set(_WRITTEN_OUT.findall(text)) - set(_WRITTEN_OUT.findall(before))
    if notes:
        reasons.append(
            f"{', '.join(sorted(notes))} stands for a character that is not shown: leave lines "
            "that have such a note as they are."
        )
    reasons += [
        f"This edit was suggested before and rejected. {tried.reason}".strip()
        for tried in refiner_input.history
        if tried.fate is SuggestionFate.REJECTED and tried.prompt.text == text
    ]
    if reasons:
        raise UnreadableVerdict("\n".join(reasons))
