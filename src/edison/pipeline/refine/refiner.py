"""Asks a model for one edit of a prompt. An edit that cannot be applied, or breaks a guard rail, is
requested a second time with all reasons; after that the refinement fails with these reasons.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Parameters
from edison.pipeline.refine.diff import DiffProblem
from edison.pipeline.refine.optimizer import RefinerInput, SuggestionFate
from edison.pipeline.refine.parts import check_prompt, diff_prompts, write_examples
from edison.pipeline.refine.patch import apply_diff
from edison.pipeline.refine.reply import RefinerReply, read_reply
from edison.pipeline.refine.request import TEXT_NAME, refinement_request, shown_prompt
from edison.pipeline.refine.suggestion import (
    NoChange,
    Proposal,
    RefinementFailed,
    SuggestedEdit,
    SuggestionOrigin,
)
from edison.pipeline.refine.weakness import WeakCriterion
from edison.pipeline.render.prompt_template import PromptTemplate
from edison.pipeline.score.inquiry import Unreadable, ask_until_readable
from edison.pipeline.score.scorer import Tools
from edison.pipeline.score.verdict import UnreadableVerdict

_WRITTEN_OUT = re.compile(r"\[U\+[0-9A-F]{4,6}\]")
# As written by `clip`.
_CLIPPED = re.compile(r"\[… \d+ characters left out …\]")
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
    edited = replace(
        prompt,
        text=patched.text,
        system=_system(prompt, reply),
        few_shots=prompt.few_shots if reply.few_shots is None else reply.few_shots,
    )
    if edited == prompt:
        return NoChange(note=reply.note, targets=targets)
    _check(refiner_input, edited)
    return SuggestedEdit(
        origin=SuggestionOrigin.REFINER,
        prompt=edited,
        diff=diff_prompts(prompt, edited),
        note=reply.note,
        targets=targets,
        remarks=patched.remarks,
        text_name=TEXT_NAME,
    )


def _system(prompt: PromptTemplate, reply: RefinerReply) -> str | None:
    """White space around it is no change: replies do not keep it."""
    if reply.system is None or reply.system == (prompt.system or "").strip():
        return prompt.system
    return reply.system or None


def _check(refiner_input: RefinerInput, edited: PromptTemplate) -> None:
    before = refiner_input.prompt
    found = check_prompt(before, edited, material=refiner_input.material())
    reasons = [violation.message for violation in found]
    notes = _written_out(edited) - _written_out(before)
    if notes:
        reasons.append(
            f"{', '.join(sorted(notes))} stands for a character that is not shown: leave lines "
            "that have such a note as they are."
        )
    examples = [write_examples(each.few_shots) for each in (before, edited)]
    if len(_CLIPPED.findall(examples[1])) > len(_CLIPPED.findall(examples[0])):
        reasons.append("An example was shown to you in part: leave the examples as they are.")
    reasons += [
        f"This edit was suggested before and rejected. {tried.reason}".strip()
        for tried in refiner_input.history
        if tried.fate is SuggestionFate.REJECTED and tried.prompt == edited
    ]
    if reasons:
        raise UnreadableVerdict("\n".join(reasons))


def _written_out(prompt: PromptTemplate) -> set[str]:
    texts = (prompt.text, prompt.system or "", write_examples(prompt.few_shots))
    return {note for text in texts for note in _WRITTEN_OUT.findall(text)}
