"""Every scorer is found by its file, describes itself, and never leaves 0..1."""

import json
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.score.apply import ScorerConfig, configure
from edison.pipeline.score.parse import Malformation
from edison.pipeline.score.registry import form_of, load_scorer, scorer_kinds
from edison.pipeline.score.scorer import CostClass, Flag, Subject
from tests.pipeline.score.scoring import ScriptedTools, score

# Options of kinds with required options.
OPTIONS: dict[str, dict[str, Any]] = {
    "regex": {"pattern": r"(\w+\s*)+$"},
    "json_schema": {"definition": '{"type": "object", "required": ["a"]}'},
    "length": {"maximum": 5},
    "latency_limit": {"limit_seconds": 1},
    "cost_limit": {"limit_usd": "0.01"},
    "custom_code": {"code": "def score(output, expected, inputs): return 1 / (1 + len(output))"},
    "judge": {
        "model_id": str(UUID(int=1)),
        "criteria": [{"name": "Tone", "description": "Is friendly and polite."}],
    },
    "judge_panel": {
        "judges": [str(UUID(int=1)), str(UUID(int=2))],
        "criteria": [{"name": "Tone", "description": "Is friendly and polite."}],
    },
    "moderation": {"model_id": str(UUID(int=1))},
    "assertions": {"assertions": '[{"type": "contains", "value": "a"}, {"type": "is-json"}]'},
    "graded_assertions": {
        "assertions": '[{"type": "llm-rubric", "value": "Is polite"}]',
        "model_id": str(UUID(int=1)),
    },
    "similarity_judge": {"model_id": str(UUID(int=1))},
    "grader_prompt": {
        "prompt_id": str(UUID(int=3)),
        "model_id": str(UUID(int=1)),
        "frozen": {"label": "Grader v1", "syntax": "double", "text": "Grade this: {{output}}"},
    },
}
JUDGES = {
    "graded_assertions",
    "grader_prompt",
    "judge",
    "judge_panel",
    "moderation",
    "similarity_judge",
}


def test_these_are_the_scorers() -> None:
    assert scorer_kinds() == (
        "assertions",
        "bleu",
        "contains",
        "cost_limit",
        "custom_code",
        "embedding_similarity",
        "ends_with",
        "exact",
        "graded_assertions",
        "grader_prompt",
        "jailbreak",
        "json_schema",
        "json_valid",
        "judge",
        "judge_panel",
        "latency_limit",
        "length",
        "levenshtein",
        "moderation",
        "numeric_tolerance",
        "pii",
        "profanity",
        "regex",
        "response_tag",
        "rouge_l",
        "similarity_judge",
        "starts_with",
        "word_overlap",
    )


@pytest.mark.parametrize("kind", scorer_kinds())
def test_a_scorer_describes_itself_and_every_option(kind: str) -> None:
    scorer = load_scorer(kind)
    assert scorer.title
    assert scorer.description.endswith(".")
    assert form_of(kind)["description"]
    # Forms show the descriptions of choices, too.
    assert "rename" not in json.dumps(form_of(kind))
    assert [name for name, field in scorer.model_fields.items() if not field.title] == []


@pytest.mark.parametrize("kind", scorer_kinds())
def test_stored_options_give_the_same_scorer(kind: str) -> None:
    configured = configure(ScorerConfig(kind=kind, options=OPTIONS.get(kind, {})))
    stored = json.loads(configured.scorer.model_dump_json())
    assert configure(ScorerConfig(kind=kind, options=stored)).scorer == configured.scorer


def test_a_judge_stores_the_version_of_its_text() -> None:
    configured = configure(ScorerConfig(kind="judge", options=OPTIONS["judge"]))
    assert configured.scorer.model_dump(mode="json")["judge_text"] == "pointwise-1"


def test_only_judges_cost_money() -> None:
    paid = {kind for kind in scorer_kinds() if load_scorer(kind).cost_class is CostClass.LLM_CALL}
    assert paid == JUDGES


SUBJECTS = st.builds(
    Subject,
    text=st.text(),
    parsed=st.none() | st.text(),
    malformed=st.none() | st.sampled_from(Malformation),
    expected=st.none() | st.text() | st.integers().map(str),
    inputs=st.dictionaries(st.text(), st.text()),
    latency_seconds=st.none() | st.floats(min_value=0),
    cost_nanos=st.none() | st.integers(min_value=0, max_value=2**63 - 1),
    output_tokens=st.none() | st.integers(min_value=0),
)


# What the examples of kinds say: options, answer, expected answer and score.
EXAMPLES: list[tuple[str, dict[str, Any], str, str | None, float]] = [
    ("contains", {"phrases": ["refund"]}, "You will get a refund.", None, 1),
    ("starts_with", {"text": "Dear"}, "Dear Ada, thank you.", None, 1),
    ("regex", {"pattern": "ORD-[0-9]+"}, "Your order ORD-4711 is late.", None, 1),
    ("exact", {}, "Paris, France", "Paris", 0),
    ("numeric_tolerance", {"absolute": 2}, "It costs $98.", "100", 1),
    ("levenshtein", {}, "colour", "color", 0.83),
    ("word_overlap", {}, "within ten working days", "ten days", 0.85),
    ("rouge_l", {}, "within ten working days", "ten days", 0.67),
    ("json_valid", {}, '{"city": "Paris"}', None, 1),
    ("response_tag", {}, "<response>Paris</response>", None, 1),
    ("pii", {}, "Write to ada@example.org", None, 0),
]


@pytest.mark.parametrize(("kind", "options", "answer", "expected", "value"), EXAMPLES)
async def test_the_examples_of_kinds_are_true(
    kind: str, options: dict[str, Any], answer: str, expected: str | None, value: float
) -> None:
    example = load_scorer(kind).example
    assert answer in example
    assert expected is None or f"“{expected}”" in example
    assert f"{value:g}" in example
    scored = await score(kind, answer, expected, options)
    assert scored.value is not None
    assert round(scored.value, 2) == value


@pytest.mark.parametrize("kind", scorer_kinds())
@settings(max_examples=25, deadline=None)
@given(subject=SUBJECTS, verdict=st.text(), is_negated=st.booleans())
async def test_a_score_is_none_or_from_0_to_1(
    kind: str, subject: Subject, verdict: str, is_negated: bool
) -> None:
    scored = await score(
        kind,
        subject,
        options=OPTIONS.get(kind),
        threshold=0.5,
        is_negated=is_negated,
        tools=ScriptedTools(answers=[verdict] * 4),
    )
    assert scored.flag is not Flag.SCORER_FAILED
    assert scored.value is None or 0 <= scored.value <= 1
    assert (scored.is_passed is None) == (scored.value is None)
    if scored.value is None:
        assert scored.flag is not None


@pytest.mark.parametrize("kind", sorted(set(scorer_kinds()) - JUDGES))
@pytest.mark.parametrize("text", ["half \ud800 a character", "\x00", "🏴" * 100, "\u202e" * 100])
async def test_unusual_text_breaks_no_scorer(kind: str, text: str) -> None:
    scored = await score(kind, text, text, OPTIONS.get(kind))
    assert scored.flag is not Flag.SCORER_FAILED
