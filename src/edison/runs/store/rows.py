"""Columns of outputs, scores and comparisons, and the answers restored from them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

from edison.db.prepared import Columns
from edison.pipeline.generate.outcome import (
    CallFailed,
    Completion,
    FailureReason,
    FinishReason,
    ToolCall,
    Usage,
)
from edison.pipeline.generate.path.question import Answer
from edison.pipeline.score.comparer import Winner
from edison.pipeline.score.parse import Malformation, Parsed
from edison.pipeline.score.scorer import CriterionScore, JudgeScore
from edison.runs.store.answers import storable
from edison.runs.store.models import Output
from edison.runs.store.types import CellOutput, NewComparison, NewScore

Row = dict[str, Any]
_TOKENS = ("input_tokens", "output_tokens", "cached_input_tokens", "reasoning_tokens")
# The columns of an output that depend on whether it is an answer or a failure.
_OUTCOME = (
    "error",
    "message",
    "latency_seconds",
    "first_token_seconds",
    "finish_reason",
    "model",
    "text",
    "parsed",
    "completion",
)


def output_columns(outputs: Sequence[CellOutput], *, numbers: Sequence[int]) -> Columns:
    answers = [output.answer for output in outputs]
    usages = [answer.usage for answer in answers]
    outcomes = [_outcome_row(output, output.answer.outcome) for output in outputs]
    return {
        "id": [output.id for output in outputs],
        "run_id": [output.run_id for output in outputs],
        "case_position": [output.case_position for output in outputs],
        "variant_position": [output.variant_position for output in outputs],
        "repeat": [output.repeat for output in outputs],
        "number": numbers,
        "is_wanted_again": [False] * len(outputs),
        "status": [output.status for output in outputs],
        "is_cached": [answer.is_cached for answer in answers],
        "is_fallback": [output.is_fallback for output in outputs],
        "attempts": [answer.attempts for answer in answers],
        "cost_nanos": [answer.cost_nanos for answer in answers],
        **{
            name: [None if usage is None else getattr(usage, name) for usage in usages]
            for name in _TOKENS
        },
        "waited_seconds": [answer.waited_seconds for answer in answers],
        "request_id": [answer.outcome.request_id for answer in answers],
        "price_version": [answer.price_version for answer in answers],
        "prompt_digest": [output.prompt_digest for output in outputs],
        "cache_key": [answer.cache_key for answer in answers],
        "created_at": [output.created_at for output in outputs],
        **{name: [row[name] for row in outcomes] for name in _OUTCOME},
    }


def _outcome_row(output: CellOutput, outcome: Completion | CallFailed) -> Row:
    if isinstance(outcome, CallFailed):
        return _failed(output, outcome)
    return _answered(output, outcome)


def _failed(output: CellOutput, failure: CallFailed) -> Row:
    return {
        "error": failure.reason,
        "message": failure.message,
        "latency_seconds": None,
        "first_token_seconds": None,
        "finish_reason": None,
        "model": None,
        "text": None,
        "parsed": None,
        "completion": _given(
            provider_text=None
            if failure.provider_text is None
            else storable(failure.provider_text),
            credential=output.credential,
        )
        or None,
    }


def _answered(output: CellOutput, completion: Completion) -> Row:
    parsed = output.parsed
    return {
        "error": parsed.malformed,
        "message": None,
        "latency_seconds": completion.latency_seconds,
        "first_token_seconds": completion.first_token_seconds,
        "finish_reason": completion.finish_reason,
        "model": completion.model,
        "text": storable(completion.text),
        "parsed": None if parsed.text is None else storable(parsed.text),
        "completion": _rest(output, completion),
    }


def _rest(output: CellOutput, completion: Completion) -> Row:
    """What has no column of its own."""
    if not completion.tool_calls and not completion.ignored_parameters and not completion.redacted:
        return _usual_rest(output.credential)
    return {
        "tool_calls": [asdict(call) for call in completion.tool_calls],
        "ignored_parameters": list(completion.ignored_parameters),
        **_given(redacted=list(completion.redacted) or None, credential=output.credential),
    }


@lru_cache(maxsize=64)
def _usual_rest(credential: str | None) -> Row:
    """Of most answers. The same object is written faster."""
    return {"tool_calls": [], "ignored_parameters": [], **_given(credential=credential)}


def _given(**values: Any) -> Row:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def restore_output(row: Output) -> CellOutput:
    usage = None
    if row.input_tokens is not None:
        usage = Usage(
            input_tokens=row.input_tokens,
            output_tokens=row.output_tokens or 0,
            cached_input_tokens=row.cached_input_tokens or 0,
            reasoning_tokens=row.reasoning_tokens or 0,
        )
    return CellOutput(
        id=row.id,
        run_id=row.run_id,
        case_position=row.case_position,
        variant_position=row.variant_position,
        repeat=row.repeat,
        answer=Answer(
            outcome=_outcome(row, usage),
            attempts=row.attempts,
            cost_nanos=row.cost_nanos,
            is_cached=row.is_cached,
            waited_seconds=row.waited_seconds,
            price_version=row.price_version,
            cache_key=row.cache_key,
        ),
        parsed=Parsed(
            text=row.parsed,
            malformed=Malformation(row.error) if row.error and row.status == "malformed" else None,
        ),
        is_fallback=row.is_fallback,
        credential=(row.completion or {}).get("credential"),
        prompt_digest=row.prompt_digest,
        created_at=row.created_at,
    )


def _outcome(row: Output, usage: Usage | None) -> Completion | CallFailed:
    rest = row.completion or {}
    if row.status == "error":
        return CallFailed(
            reason=FailureReason(row.error or FailureReason.PROVIDER),
            message=row.message or "",
            is_retryable=False,
            request_id=row.request_id,
            usage=usage,
            provider_text=rest.get("provider_text"),
        )
    return Completion(
        text=row.text or "",
        finish_reason=FinishReason(row.finish_reason or FinishReason.OTHER),
        usage=usage,
        model=row.model or "",
        tool_calls=tuple(ToolCall(**call) for call in rest.get("tool_calls", ())),
        request_id=row.request_id,
        ignored_parameters=tuple(rest.get("ignored_parameters", ())),
        latency_seconds=row.latency_seconds or 0,
        first_token_seconds=row.first_token_seconds,
        redacted=tuple(rest.get("redacted", ())),
    )


def score_columns(scores: Sequence[NewScore], *, numbers: Sequence[int]) -> Columns:
    outputs = [new.output for new in scores]
    scored = [new.scored for new in scores]
    return {
        "id": [new.id for new in scores],
        "run_id": [output.run_id for output in outputs],
        "output_id": [output.id for output in outputs],
        "scorer_position": [new.scorer_position for new in scores],
        "number": numbers,
        "value": [each.value for each in scored],
        "is_passed": [each.is_passed for each in scored],
        "flag": [each.flag for each in scored],
        "cost_nanos": [each.cost_nanos for each in scored],
        "created_at": [new.created_at for new in scores],
        "rationale": [each.rationale and storable(each.rationale) for each in scored],
        "raw": [each.raw and storable(each.raw) for each in scored],
        "criteria": [_criteria(each.criteria) if each.criteria else None for each in scored],
        "judges": [_judges(each.judges) if each.judges else None for each in scored],
        "judge_text": [each.judge_text for each in scored],
        "answers": [_answers(new.answers) for new in scores],
    }


def _judges(judges: Mapping[str, JudgeScore]) -> Row:
    return {label: _judge(each) for label, each in judges.items()}


def _judge(judge: JudgeScore) -> Row:
    return {
        "model_id": str(judge.model_id),
        "value": judge.value,
        "flag": judge.flag,
        "problem": judge.problem,
        "raw": judge.raw,
        "criteria": _criteria(judge.criteria),
    }


def _criteria(criteria: Mapping[str, CriterionScore]) -> Row:
    return {
        name: {"value": each.value, "raw": each.raw, "rationale": each.rationale}
        for name, each in criteria.items()
    }


def comparison_row(new: NewComparison, *, number: int) -> Row:
    a, b, compared = new.a, new.b, new.compared
    verdicts = {order.shown_first: order.winner for order in compared.orders}
    return {
        "id": new.id,
        "run_id": a.run_id,
        "comparer_position": new.comparer_position,
        "case_position": a.case_position,
        "repeat": a.repeat,
        "variant_a": a.variant_position,
        "variant_b": b.variant_position,
        "output_a_id": a.id,
        "output_b_id": b.id,
        "number": number,
        "preference": compared.preference,
        "verdict_ab": verdicts.get(Winner.A),
        "verdict_ba": verdicts.get(Winner.B),
        "flag": compared.flag,
        "judge_text": compared.judge_text,
        "cost_nanos": compared.cost_nanos,
        "created_at": new.created_at,
        "rationale": None if compared.rationale is None else storable(compared.rationale),
        "orders": [asdict(order) for order in compared.orders],
        "answers": _answers(new.answers),
    }


_ANSWER = [field.name for field in fields(Answer)]


def _answers(answers: Mapping[str, Answer]) -> Row | None:
    """Answers of judges, by the digest of the question."""
    return {key: _answer(answer) for key, answer in answers.items()} or None


def _answer(answer: Answer) -> Row:
    """With its outcome as it is: JSON columns take dataclasses."""
    kind = "completion" if isinstance(answer.outcome, Completion) else "failure"
    stored = {name: getattr(answer, name) for name in _ANSWER}
    return {**stored, "usage": answer.usage, "kind": kind}


def restore_answers(columns: Iterable[Mapping[str, Any] | None]) -> dict[str, Answer]:
    """Reads the `answers` columns of scores or comparisons."""
    return {key: _restored(stored) for column in columns for key, stored in (column or {}).items()}


def _restored(stored: Mapping[str, Any]) -> Answer:
    kind = Completion if stored["kind"] == "completion" else CallFailed
    rest = {name: value for name, value in stored.items() if name not in {"kind", "usage"}}
    return Answer(**{**rest, "outcome": kind.restored(stored["outcome"])})
