"""How many calls of a model the assertions of an answer take, at most."""

from collections.abc import Iterable, Iterator

from edison.pipeline.score.assertions.model import Assertion

# By type. `g-eval` takes so many for each of its criteria.
_CALLS = {
    "answer-relevance": 3,
    "context-faithfulness": 2,
    "context-recall": 1,
    "context-relevance": 1,
    "factuality": 1,
    "g-eval": 2,
    "llm-rubric": 1,
    "model-graded-closedqa": 1,
    "model-graded-factuality": 1,
    "model-label": 1,
    "model-score": 1,
}
GRADED = frozenset(_CALLS)


def list_grading_calls(assertions: Iterable[Assertion]) -> Iterator[tuple[Assertion, int]]:
    """The assertions that a model grades, also in sets, each with its calls."""
    for each in assertions:
        yield from list_grading_calls(each.members or ())
        calls = _CALLS.get(each.base_type, 0)
        if each.base_type == "g-eval" and isinstance(each.value, list):
            calls *= len(each.value)
        if calls:
            yield each, calls
