"""Upper bounds of input tokens, before and after bills are known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.tokens.bound import ENOUGH_BILLS, BilledInput, bound_input
from edison.pipeline.generate.tokens.count import Count
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition


def prompt_of(text: str, *, system: str | None = None, tools: int = 0) -> RenderedPrompt:
    definition = ToolDefinition(name="t", description="", parameters={})
    return RenderedPrompt(
        messages=(Message(role="user", text=text),),
        system=system,
        tools=(definition,) * tools,
        wants_json=False,
    )


def estimated(tokens: int) -> Count:
    return Count(tokens=tokens, method="estimate", encoding="o200k_base")


def exact(tokens: int) -> Count:
    return Count(tokens=tokens, method="exact", encoding="o200k_base")


def test_an_exact_count_is_its_own_bound() -> None:
    assert bound_input(prompt_of("x" * 1000), exact(250), BilledInput()) == 250


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (prompt_of("Hi"), 64 + 8 + 2),
        (prompt_of("é"), 64 + 8 + 2),
        (prompt_of("Hi", system="Be kind."), 64 + 16 + 2 + 8),
        (
            prompt_of("Hi", tools=1),
            64 + 8 + 2 + len('{"name":"t","description":"","parameters":{}}'),
        ),
    ],
)
def test_without_bills_every_byte_may_be_a_token(prompt: RenderedPrompt, expected: int) -> None:
    assert bound_input(prompt, estimated(9), BilledInput()) == expected


def test_enough_bills_tighten_the_bound_to_the_largest_ratio_with_a_margin() -> None:
    prompt, billed = prompt_of("x" * 4000), BilledInput()
    for each in range(ENOUGH_BILLS):
        assert bound_input(prompt, estimated(1000), billed) == 4072
        billed = billed.add(counted=1000, billed=1100 + each)
    assert billed == BilledInput(bills=20, ratio_percent=112, overhead_tokens=0)
    assert bound_input(prompt, estimated(1000), billed) == 1120 * 125 // 100


def test_the_margin_never_exceeds_the_size_in_bytes() -> None:
    billed = BilledInput(bills=ENOUGH_BILLS, ratio_percent=390)
    assert bound_input(prompt_of("x" * 4000), estimated(1000), billed) == 4072


def test_a_bill_above_the_bound_raises_it_at_once() -> None:
    word, counted = prompt_of("Hi"), estimated(9)
    assert bound_input(word, counted, BilledInput()) == 74
    raised = BilledInput().add(counted=9, billed=111)
    assert bound_input(word, counted, raised) == 111
    assert bound_input(word, exact(9), raised) == 111


def test_the_template_of_short_prompts_does_not_multiply_long_ones() -> None:
    billed = BilledInput(bills=ENOUGH_BILLS, ratio_percent=100).add(counted=9, billed=45)
    assert (billed.ratio_percent, billed.overhead_tokens) == (100, 36)
    assert bound_input(prompt_of("x" * 8000), estimated(2000), billed) == 2036 * 125 // 100


def test_what_two_processes_learnt_is_merged() -> None:
    first = BilledInput(bills=5, ratio_percent=120, overhead_tokens=3)
    second = BilledInput(bills=9, ratio_percent=110, overhead_tokens=30)
    merged = BilledInput(bills=9, ratio_percent=120, overhead_tokens=30)
    assert first.merge(second) == second.merge(first) == merged
    assert merged.is_above(first)
    assert not first.is_above(merged)


BILLS = st.lists(st.tuples(st.integers(1, 5000), st.integers(1, 20_000)), max_size=40)


@given(bills=BILLS, is_exact=st.booleans(), text=st.text(max_size=200))
def test_the_bound_is_never_below_the_tokens_billed_for_similar_prompts(
    bills: list[tuple[int, int]], *, is_exact: bool, text: str
) -> None:
    billed = BilledInput()
    for counted, amount in bills:
        billed = billed.add(counted=counted, billed=amount)
    for counted, amount in bills:
        count = exact(counted) if is_exact else estimated(counted)
        assert bound_input(prompt_of(text), count, billed) >= amount


@given(
    known=st.builds(
        BilledInput,
        bills=st.integers(0, 2 * ENOUGH_BILLS),
        ratio_percent=st.integers(0, 300),
        overhead_tokens=st.integers(0, 50),
    ),
    counted=st.integers(1, 1000),
    billed=st.integers(1, 3000),
)
def test_a_bill_that_is_covered_teaches_nothing(
    known: BilledInput, counted: int, billed: int
) -> None:
    learned = known.add(counted=counted, billed=billed)
    is_covered = known.bills > ENOUGH_BILLS and not learned.is_above(known)
    assert known.covers(counted=counted, billed=billed) == is_covered
