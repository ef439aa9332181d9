"""Which model grades which assertion: that of the assertion, else of the test, else of the command
line.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from edison.evals.errors import ConfigError
from edison.evals.files import Files
from edison.evals.plan import EvalPlan, EvalProvider, EvalTest
from edison.evals.providers import read_provider
from edison.pipeline.score.assertions.grading_calls import GRADED
from edison.pipeline.score.assertions.score import provider_key

_NO_GRADER = (
    "“{}” is graded by a model. Name one with --grader, or as “provider” in the options of the "
    "tests."
)


def assertions_of(test: EvalTest) -> Iterator[Mapping[str, Any]]:
    """With the members of sets."""
    for each in test.assertions:
        yield each
        yield from each.get("assert") or ()


def is_graded(assertion: Mapping[str, Any]) -> bool:
    return str(assertion.get("type")).removeprefix("not-") in GRADED


def named_grader(assertion: Mapping[str, Any], test: EvalTest) -> Any:
    """The provider as written; None when neither the assertion nor the test names one."""
    found = assertion.get("provider") or test.options.get("provider")
    if isinstance(found, dict) and "id" not in found and isinstance(found.get("text"), str | dict):
        return found["text"]
    return found


def with_graders(test: EvalTest) -> list[dict[str, Any]]:
    """The assertions of the test, each graded one with its grader."""
    return [_named(each, test) for each in test.assertions]


def _named(assertion: Mapping[str, Any], test: EvalTest) -> dict[str, Any]:
    made = dict(assertion)
    if isinstance(made.get("assert"), list):
        made["assert"] = [_named(each, test) for each in made["assert"]]
    if is_graded(made) and (grader := named_grader(made, test)) is not None:
        made["provider"] = grader
    return made


def graders_by_key(plan: EvalPlan) -> dict[str, EvalProvider]:
    """The graders that are needed, by what the scorer looks them up with. Raises ConfigError."""
    found: dict[str, EvalProvider] = {}
    tests = {id(row.test): row.test for row in plan.rows}
    folder = plan.columns[0].provider.folder if plan.columns else Path()
    for test in tests.values():
        for assertion in assertions_of(test):
            if not is_graded(assertion):
                continue
            named = named_grader(assertion, test)
            key = provider_key(named)
            if key in found:
                continue
            if named is None and plan.grader is None:
                raise ConfigError(_NO_GRADER.format(assertion["type"]), test.place)
            found[key] = (
                plan.grader
                if named is None and plan.grader is not None
                else read_provider(named, Files.of(folder), test.place)
            )
    return found


def graders_of(plan: EvalPlan) -> list[EvalProvider]:
    return list(graders_by_key(plan).values())
