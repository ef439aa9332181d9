"""The state table: allowed transitions, and paths between states."""

from edison.loops.experiments.iterations.transitions import path_to
from edison.loops.experiments.states import ACTIVE, NEXT, OVER, STATE_OF, ExperimentState
from edison.loops.experiments.states import IterationState as State


def test_every_state_has_transitions_and_an_experiment_state() -> None:
    assert set(NEXT) == set(STATE_OF) == set(State)
    assert set(OVER) == {State.COMPLETED, State.FAILED, State.CANCELLED}
    assert set(OVER) | set(ACTIVE) == set(State)
    assert {state for state in State if STATE_OF[state] is ExperimentState.REVIEWING} == {
        State.REVIEWING
    }


def test_paths_lead_through_intermediate_states() -> None:
    assert path_to(State.EXECUTING, State.AGGREGATING) == (State.JUDGING, State.AGGREGATING)
    assert path_to(State.PAUSED, State.AGGREGATING) == (State.JUDGING, State.AGGREGATING)
    assert path_to(State.PAUSED, State.CANCELLED) == (State.EXECUTING, State.CANCELLED)
    assert path_to(State.PENDING, State.FAILED) == (State.EXECUTING, State.FAILED)


def test_aggregating_and_reviewing_cannot_be_paused_or_cancelled() -> None:
    for state in (State.AGGREGATING, State.REFINING, State.REVIEWING, *OVER):
        assert path_to(state, State.PAUSED) is None, state
        assert path_to(state, State.CANCELLED) is None, state
    assert path_to(State.COMPLETED, State.EXECUTING) is None
