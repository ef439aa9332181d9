"""The circuit breaker opens, half-opens and closes, in any order of events."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from edison.pipeline.generate.outcome import CallFailed, Completion, FailureReason, FinishReason
from edison.pipeline.generate.path.circuit_breaker import (
    BreakerState,
    CircuitBreaker,
    ServiceHealth,
    health_of,
)
from tests.pipeline.generate.path.recording import failure


class ManualClock:
    """A clock set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def pass_and_end(breaker: CircuitBreaker, *ends: ServiceHealth) -> None:
    for end in ends:
        passed = breaker.enter()
        assert passed is not None
        breaker.leave(passed, end)


def opened(hand: ManualClock) -> CircuitBreaker:
    breaker = CircuitBreaker(clock=hand)
    pass_and_end(breaker, *[ServiceHealth.FAILS] * 5)
    return breaker


def test_five_failures_in_a_row_open_it_for_a_minute() -> None:
    hand = ManualClock()
    breaker = CircuitBreaker(clock=hand)
    pass_and_end(breaker, *[ServiceHealth.FAILS] * 4)
    assert breaker.state is BreakerState.CLOSED
    pass_and_end(breaker, ServiceHealth.FAILS)
    assert (breaker.state, breaker.seconds_left) == (BreakerState.OPEN, 60)
    hand.now += 59
    assert (breaker.enter(), breaker.seconds_left) == (None, 1)
    hand.now += 1
    assert (breaker.state, breaker.seconds_left) == (BreakerState.HALF_OPEN, 0)


def test_a_success_in_between_resets_the_count() -> None:
    breaker = CircuitBreaker(clock=ManualClock())
    pass_and_end(
        breaker, *[ServiceHealth.FAILS] * 4, ServiceHealth.WORKS, *[ServiceHealth.FAILS] * 4
    )
    assert breaker.state is BreakerState.CLOSED


def test_unknown_health_neither_counts_nor_resets() -> None:
    breaker = CircuitBreaker(clock=ManualClock())
    pass_and_end(breaker, *[ServiceHealth.FAILS] * 4, ServiceHealth.UNKNOWN, ServiceHealth.FAILS)
    assert breaker.state is BreakerState.OPEN


def test_half_open_allows_one_probe_at_a_time_and_closes_after_two_successes() -> None:
    hand = ManualClock()
    breaker = opened(hand)
    hand.now += 60
    first = breaker.enter()
    assert first is not None
    assert breaker.enter() is None
    breaker.leave(first, ServiceHealth.WORKS)
    assert breaker.state is BreakerState.HALF_OPEN
    pass_and_end(breaker, ServiceHealth.WORKS)
    assert breaker.state is BreakerState.CLOSED


def test_a_failed_probe_opens_it_again_for_the_whole_time() -> None:
    hand = ManualClock()
    breaker = opened(hand)
    hand.now += 70
    pass_and_end(breaker, ServiceHealth.WORKS, ServiceHealth.FAILS)
    assert (breaker.state, breaker.seconds_left) == (BreakerState.OPEN, 60)


def test_a_cancelled_probe_makes_room_for_the_next() -> None:
    hand = ManualClock()
    breaker = opened(hand)
    hand.now += 60
    pass_and_end(breaker, ServiceHealth.UNKNOWN, ServiceHealth.WORKS, ServiceHealth.WORKS)
    assert breaker.state is BreakerState.CLOSED


def test_calls_from_before_it_opened_no_longer_count() -> None:
    hand = ManualClock()
    breaker = CircuitBreaker(clock=hand)
    late = [breaker.enter() for _ in range(3)]
    pass_and_end(breaker, *[ServiceHealth.FAILS] * 5)
    hand.now += 60
    assert breaker.state is BreakerState.HALF_OPEN
    for passed, end in zip(
        late, (ServiceHealth.WORKS, ServiceHealth.WORKS, ServiceHealth.FAILS), strict=True
    ):
        assert passed is not None
        breaker.leave(passed, end)
    assert breaker.state is BreakerState.HALF_OPEN


def test_only_service_errors_open_the_breaker() -> None:
    completion = Completion(text="", finish_reason=FinishReason.STOP, usage=None, model="m")
    fails = [
        failure(FailureReason.RATE_LIMIT),
        failure(FailureReason.TIMEOUT),
        failure(FailureReason.NETWORK),
        failure(FailureReason.NETWORK, is_retryable=False),
        failure(FailureReason.PROVIDER),
    ]
    says_nothing = [
        failure(FailureReason.RATE_LIMIT, retry_after_seconds=3),
        failure(FailureReason.MALFORMED_RESPONSE),
        None,
    ]
    works: list[Completion | CallFailed] = [
        completion,
        failure(FailureReason.PROVIDER, is_retryable=False),
        *(
            failure(reason, is_retryable=False)
            for reason in (
                FailureReason.INVALID_KEY,
                FailureReason.QUOTA,
                FailureReason.CONTENT_FILTER,
                FailureReason.MODEL_NOT_FOUND,
                FailureReason.CONTEXT_LENGTH,
            )
        ),
    ]
    assert {health_of(each) for each in fails} == {ServiceHealth.FAILS}
    assert {health_of(each) for each in says_nothing} == {ServiceHealth.UNKNOWN}
    assert {health_of(each) for each in works} == {ServiceHealth.WORKS}


class AnyOrder(RuleBasedStateMachine):
    """Calls enter and end in any order, and time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.hand = ManualClock()
        self.breaker = CircuitBreaker(clock=self.hand)
        self.under_way: list[tuple[int, bool]] = []
        self.opened_at = -1e9

    @rule()
    def enter(self) -> None:
        before = self.breaker.state
        passed = self.breaker.enter()
        assert (passed is None) <= (before is not BreakerState.CLOSED)
        assert (before is BreakerState.OPEN) <= (passed is None)
        if passed is not None:
            self.under_way.append((passed, before is BreakerState.HALF_OPEN))

    @precondition(lambda self: self.under_way)
    @rule(data=st.data(), end=st.sampled_from(ServiceHealth))
    def leave(self, data: st.DataObject, end: ServiceHealth) -> None:
        which = data.draw(st.integers(0, len(self.under_way) - 1))
        passed, _ = self.under_way.pop(which)
        before = self.breaker.state
        self.breaker.leave(passed, end)
        if before is not BreakerState.OPEN and self.breaker.state is BreakerState.OPEN:
            assert end is ServiceHealth.FAILS
            self.opened_at = self.hand.now
        if before is BreakerState.HALF_OPEN and self.breaker.state is BreakerState.CLOSED:
            assert end is ServiceHealth.WORKS

    @rule(seconds=st.floats(0, 70))
    def wait(self, seconds: float) -> None:
        self.hand.now += seconds

    @invariant()
    def it_is_open_exactly_for_its_time(self) -> None:
        is_within = self.hand.now < self.opened_at + 60
        assert (self.breaker.state is BreakerState.OPEN) == is_within
        assert (self.breaker.seconds_left > 0) == is_within

    @invariant()
    def one_probe_at_most(self) -> None:
        if self.breaker.state is BreakerState.HALF_OPEN:
            epoch = max((passed for passed, _ in self.under_way), default=0)
            probes = [p for p in self.under_way if p[1] and p[0] == epoch]
            assert len(probes) <= 1


AnyOrder.TestCase.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
TestAnyOrder = AnyOrder.TestCase
