"""Builds the request to a refiner: all material quoted as data, and limited in length."""

import json
from collections.abc import Iterable, Sequence

from edison.pipeline.refine.exemplars import PASSING, Exemplar
from edison.pipeline.refine.guard import guard_rails
from edison.pipeline.refine.optimizer import EarlierSuggestion, RefinerInput
from edison.pipeline.refine.parts import MOST_CHANGED_EXAMPLES
from edison.pipeline.refine.reply import EXTRA, FORM
from edison.pipeline.refine.texts import read_request_text
from edison.pipeline.refine.weakness import TargetCriterion, WeakCriterion
from edison.pipeline.render.prompt import Message, RenderedPrompt
from edison.pipeline.score.inquiry import Inquiry
from edison.pipeline.score.quote import neutralise, quote

TEXT_NAME = "refiner-2"

# Max characters of an input, an output or an expected answer; of a rationale; of all examples.
LONGEST_PART = 3000
LONGEST_REASON = 500
LONGEST_EXAMPLES = 40_000
_MOST_TRIED = 10


def refinement_request(refiner_input: RefinerInput, targets: Sequence[WeakCriterion]) -> Inquiry:
    text = read_request_text(TEXT_NAME)
    quoted = quote(_parts(refiner_input, targets))
    question = text.question.render(
        {
            "material": quoted.text,
            "targets": _enumerated([weak.criterion.name for weak in targets]),
            "limits": _limits(refiner_input),
            "form": FORM,
            "extra": EXTRA,
        }
    )
    prompt = RenderedPrompt(
        system=text.system.render({"number": quoted.number}),
        messages=(Message(role="user", text=question),),
    )
    return Inquiry(prompt=prompt, text=text, form=FORM)


def shown_prompt(text: str) -> str | None:
    """The prompt as the refiner sees it, if its lines correspond one to one; else None."""
    shown = neutralise(text)
    return shown if shown.count("\n") == text.count("\n") else None


def clip(text: str, longest: int) -> str:
    """Shortens a text that is too long to its beginning and end."""
    if len(text) <= longest:
        return text
    tail = longest // 4
    head = longest - tail
    return f"{text[:head]} [… {len(text) - longest} characters left out …] {text[-tail:]}"


def _parts(refiner_input: RefinerInput, targets: Sequence[WeakCriterion]) -> dict[str, str]:
    prompt = refiner_input.prompt
    names = {criterion.key: criterion.name for criterion in refiner_input.criteria}
    parts = {
        "goal": refiner_input.goal.strip(),
        "rubric": _rubric(refiner_input.criteria),
        "system_text": prompt.system or "",
        "few_shots": "" if not prompt.few_shots else _rows(_few_shots(refiner_input)),
        "prompt": prompt.text,
        "weak_criteria": "\n".join(_weak_line(weak) for weak in targets),
        "failing_examples": _rows(_bounded(_examples(refiner_input.exemplars, targets, names))),
        "earlier_suggestions": _history(refiner_input.history, names),
    }
    return {name: part for name, part in parts.items() if part}


def _rubric(criteria: Sequence[TargetCriterion]) -> str:
    return _rows(
        {"name": one.name, "description": one.description, "weight": one.weight} for one in criteria
    )


def _few_shots(refiner_input: RefinerInput) -> list[dict[str, str]]:
    return [
        {"user": clip(pair.user, LONGEST_PART), "assistant": clip(pair.assistant, LONGEST_PART)}
        for pair in refiner_input.prompt.few_shots
    ]


def _weak_line(weak: WeakCriterion) -> str:
    criterion = weak.criterion
    return f"- **{criterion.name}** (mean {10 * weak.mean:.1f} of 10): {criterion.description}"


def _examples(
    exemplars: Sequence[Exemplar], targets: Sequence[WeakCriterion], names: dict[str, str]
) -> list[dict[str, object]]:
    """Examples that fail on a target criterion; if none does, all of them."""
    keys = [weak.criterion.key for weak in targets]
    aimed = [
        exemplar
        for exemplar in exemplars
        if any(exemplar.output.scores.get(key, 1.0) < PASSING for key in keys)
    ]
    return [_example(exemplar, names) for exemplar in aimed or exemplars]


def _example(exemplar: Exemplar, names: dict[str, str]) -> dict[str, object]:
    output = exemplar.output
    row: dict[str, object] = {
        "input": {
            name: clip(value, LONGEST_PART) if isinstance(value, str) else value
            for name, value in output.inputs.items()
        },
        "output": clip(output.output, LONGEST_PART),
    }
    if output.expected is not None:
        row["expected"] = clip(output.expected, LONGEST_PART)
    row["scores"] = {
        names[key]: round(10 * score, 1) for key, score in output.scores.items() if key in names
    }
    row["rationales"] = {
        names[key]: clip(said, LONGEST_REASON)
        for key, said in output.rationales.items()
        if key in names
    }
    return row


def _bounded(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The first rows within the length limit, at least one."""
    chosen: list[dict[str, object]] = []
    length = 0
    for row in rows:
        length += len(json.dumps(row, ensure_ascii=False))
        if chosen and length > LONGEST_EXAMPLES:
            break
        chosen.append(row)
    return chosen


def _history(history: Sequence[EarlierSuggestion], names: dict[str, str]) -> str:
    if not history:
        return ""
    return _rows(_tried(tried, names) for tried in history[-_MOST_TRIED:])


def _tried(tried: EarlierSuggestion, names: dict[str, str]) -> dict[str, object]:
    row: dict[str, object] = {
        "diff": clip(tried.diff, LONGEST_PART),
        "targets": [names[key] for key in tried.targets if key in names],
        "decision": tried.fate.value,
    }
    if tried.reason:
        row["reason"] = clip(tried.reason, LONGEST_REASON)
    if tried.verdict is not None:
        row["result"] = tried.verdict.value
    return row


def _limits(refiner_input: RefinerInput) -> str:
    prompt = refiner_input.prompt
    limits = (rail.limit(prompt.text, prompt.syntax) for rail in guard_rails())
    said = [limit for limit in limits if limit]
    said.append(
        "The same holds for the system text. Add, remove or replace at most "
        f"{MOST_CHANGED_EXAMPLES} few-shot examples."
    )
    return "\n".join(["Keep within these limits:", *(f"- {limit}" for limit in said)])


def _rows(rows: Iterable[object]) -> str:
    return json.dumps(list(rows), ensure_ascii=False, indent=1)


def _enumerated(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
