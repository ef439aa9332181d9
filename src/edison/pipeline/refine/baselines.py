"""Baseline edits that need no search, for comparison with the optimizers' suggestions.

"No change" is the version that was run, so it is never proposed. "State the rubric" adds the
judges' criteria to the prompt word for word. The wording comes from the rubric's author, so the
guard rails that limit a model's edits (length and lines) do not reject it; the suggestion lists the
rails it exceeds.
"""

from dataclasses import replace

from edison.pipeline.refine.change import Change
from edison.pipeline.refine.diff import make_diff
from edison.pipeline.refine.guard import check_all
from edison.pipeline.refine.optimizer import RefinerInput
from edison.pipeline.refine.suggestion import SuggestedEdit, SuggestionOrigin
from edison.pipeline.refine.weakness import TargetCriterion
from edison.pipeline.render.template import Syntax, escape, parse

EXEMPT = frozenset({"length_change", "lines_changed"})


def state_the_rubric(refiner_input: RefinerInput) -> SuggestedEdit | None:
    """None when the prompt already states the rubric, or there is no rubric to state."""
    prompt = refiner_input.prompt
    told = [
        criterion
        for criterion in refiner_input.criteria
        if criterion.weight > 0 and criterion.description.strip()
    ]
    missing = [one for one in told if _line(one, prompt.syntax) not in prompt.text]
    if not missing:
        return None
    lines = (_line(one, prompt.syntax) for one in missing)
    paragraph = "\n".join(["A good answer meets these criteria:", *lines])
    text = _with_paragraph(prompt.text, paragraph, prompt.syntax)
    change = Change(before=prompt.text, after=text, syntax=prompt.syntax)
    if check_all(change, without=EXEMPT):
        return None
    return SuggestedEdit(
        origin=SuggestionOrigin.RUBRIC,
        prompt=replace(prompt, text=text),
        diff=make_diff(prompt.text, text),
        note=(
            "States the rubric in the prompt, word for word. This takes no search and is here as "
            "a baseline: whatever else is suggested should do better."
        ),
        targets=tuple(one.key for one in missing),
        exceeded=check_all(change),
    )


def _line(criterion: TargetCriterion, syntax: Syntax) -> str:
    said = " ".join(criterion.description.split())
    end = "" if said.endswith((".", "!", "?")) else "."
    return escape(f"- {criterion.name}: {said}{end}", syntax)


def _with_paragraph(text: str, paragraph: str, syntax: Syntax) -> str:
    """Inserts before the paragraph of the first variable, which usually holds the material. Appends
    to the end when that is the first paragraph, or when there is no variable.
    """
    use = parse(text, syntax).first_use()
    cut = -1 if use is None else text.rfind("\n\n", 0, use)
    if cut == -1:
        return f"{text.rstrip()}\n\n{paragraph}"
    return f"{text[:cut]}\n\n{paragraph}{text[cut:]}"
