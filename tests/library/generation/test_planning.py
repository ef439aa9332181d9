"""Generation plans, their prompts, and when a generation is complete."""

from typing import Any

import pytest
from inline_snapshot import snapshot

from edison.library.generation.instructions import prompt_of, repair_of
from edison.library.generation.plan import (
    Attack,
    GenerationKind,
    GenerationPlan,
    with_fitting_batches,
)
from edison.library.generation.progress import Finished, Next, Yield, next_step
from edison.pipeline.generate.outcome import FailureReason
from edison.pipeline.render.length_bucket import LengthBucket, bucket_of
from edison.simulation.roles import SimulatedRole, role_of


def plan(kind: GenerationKind = GenerationKind.SYNTHETIC, **changes: Any) -> GenerationPlan:
    material: dict[GenerationKind, dict[str, Any]] = {
        GenerationKind.SYNTHETIC: {"hints": "Parcels that are late"},
        GenerationKind.ADVERSARIAL: {"prompt": "Answer {{question}}", "attacks": tuple(Attack)},
        GenerationKind.QUESTIONS: {"topic": "Tides", "types": ("logic",)},
        GenerationKind.GAPS: {"gaps": ("mentions a date", "tagged “billing”")},
    }
    values = {
        "kind": kind,
        "count": 25,
        "variables": ("question",),
        "nonce": "12345678",
        "seed": 7,
        **material[kind],
    }
    return GenerationPlan(**values | changes)


def texts(made: GenerationPlan, number: int = 0) -> str:
    prompt = prompt_of(made, number)
    return f"{prompt.system}\n\n{prompt.messages[0].text}"


def test_the_last_batch_takes_the_rest() -> None:
    made = plan(count=25)
    assert [made.size_of(number) for number in range(5)] == [10, 10, 5, 10, 10]


def test_a_batchs_prompt_follows_from_plan_and_number_alone() -> None:
    assert texts(plan(), 1) == texts(
        GenerationPlan.model_validate(plan().model_dump(mode="json")), 1
    )
    assert texts(plan(), 1) != texts(plan(), 0)
    assert texts(plan(nonce="87654321"), 0) != texts(plan(), 0)


def test_the_prompt_for_synthetic_cases() -> None:
    made = plan(languages=("German",), lengths=(LengthBucket.S,), with_expected=True)
    assert prompt_of(made, 0).messages[0].text == snapshot(
        """\
Generate exactly 10 diverse test cases.
Variables: question
Diversity: 5/10
Batch: 1
Emphasis of this batch: the most common situations
Languages, divided evenly: German
Length of all values together, divided evenly: 51 to 200 characters

<domain-12345678>
Parcels that are late
</domain-12345678>\
"""
    )


@pytest.mark.parametrize("kind", GenerationKind)
def test_simulated_models_recognise_generation_prompts(kind: GenerationKind) -> None:
    prompt = prompt_of(plan(kind), 0)
    whole = f"{prompt.system}\n\n{prompt.messages[0].text}"
    assert role_of(whole, prompt.system) is SimulatedRole.GENERATOR


@pytest.mark.parametrize("kind", GenerationKind)
def test_no_placeholder_is_left_in_a_prompt(kind: GenerationKind) -> None:
    said = texts(plan(kind, prompt="", hints="about parcels"))
    assert "{{" not in said


def test_a_repair_shows_the_answer_and_the_problem() -> None:
    prompt = repair_of(plan(), 2, "no" * 10_000)
    assert [message.role for message in prompt.messages] == ["user", "assistant", "user"]
    assert len(prompt.messages[1].text) == 4_000
    assert "Write the same 5 rows again" in prompt.messages[2].text


@pytest.mark.parametrize(
    ("lengths", "size"),
    [((), 10), ((LengthBucket.XS,), 10), ((LengthBucket.L,), 3), ((LengthBucket.XL,), 1)],
)
def test_a_batch_fits_into_one_answer(lengths: tuple[LengthBucket, ...], size: int) -> None:
    assert with_fitting_batches(plan(lengths=lengths), max_tokens=4096).batch_size == size


@pytest.mark.parametrize(
    ("length", "bucket"),
    [
        (0, "XS"),
        (50, "XS"),
        (51, "S"),
        (200, "S"),
        (800, "M"),
        (801, "L"),
        (3001, "XL"),
        (10**6, "XL"),
    ],
)
def test_lengths_fall_into_five_steps(length: int, bucket: str) -> None:
    assert bucket_of(length) == bucket


def following(done: dict[int, Yield], *under_way: int, count: int = 25) -> Next | Finished:
    return next_step(plan(count=count), done, set(under_way), at_once=4)


FULL = Yield(drafts=10)


def test_batches_start_up_to_the_concurrency_limit() -> None:
    assert following({}, count=500) == Next(batches=[0, 1, 2, 3])
    assert following({}, 0, 1, 2, count=500) == Next(batches=[3])
    assert following({}, 0, 1, 2, 3, count=500) == Next()


def test_a_generation_ends_at_the_requested_count() -> None:
    assert following({0: FULL, 1: FULL, 2: Yield(drafts=5)}) == Finished()


def test_batches_that_are_missing_are_asked_for_again() -> None:
    assert following({0: FULL, 2: Yield(drafts=5)}) == Next(batches=[1])


def test_more_batches_replace_lost_cases() -> None:
    lossy = Yield(drafts=4, repeated=6)
    assert following({0: FULL, 1: lossy, 2: Yield(drafts=5)}) == Next(batches=[3])
    assert following({0: lossy, 1: lossy, 2: Yield(short=5)}) == Next(batches=[3, 4])


def test_a_generation_ends_when_batches_add_nothing_new() -> None:
    done = {0: FULL, 1: Yield(drafts=2, repeated=8), 2: Yield(drafts=5), 3: Yield(repeated=10)}
    assert following(done) == Finished(note="17 of 25: the model repeated itself.")


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        (Yield(malformed=1, short=9), "the model's answers could not be read"),
        (Yield(refused=10), "the model's cases lacked values or did not fit"),
    ],
)
def test_three_empty_batches_fail_the_generation(lost: Yield, reason: str) -> None:
    assert following({0: lost, 1: lost, 2: lost}, count=500) == Finished(
        note=f"0 of 500: {reason}.", failure=FailureReason.MALFORMED_RESPONSE
    )


def test_only_copies_of_existing_cases_are_not_a_failure() -> None:
    repeated = Yield(repeated=10)
    over = following({0: repeated, 1: repeated, 2: repeated})
    assert over == Finished(note="0 of 25: the model repeated itself.")
