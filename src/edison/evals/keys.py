"""Names that a configuration may have; others give a warning with the nearest known name."""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from edison.evals.errors import Place, place_of
from edison.kit.nearest import did_you_mean

TOP = frozenset((
    "assertionTemplates", "commandLineOptions", "defaultTest", "derivedMetrics", "description",
    "env", "evaluateOptions", "extensions", "metadata", "nunjucksFilters", "outputPath", "prompts",
    "providers", "redteam", "scenarios", "sharing", "tags", "targets", "tests", "tracing",
    "writeLatestResults", "$schema",
))  # fmt: skip
TEST = frozenset((
    "assert", "assertScoringFunction", "description", "metadata", "options", "prompts", "provider",
    "providerOutput", "providers", "threshold", "vars", "path", "config",
))  # fmt: skip
ASSERTION = frozenset((
    "assert", "config", "contextTransform", "metric", "provider", "rubricPrompt", "threshold",
    "transform", "type", "value", "weight",
))  # fmt: skip
PROVIDER = frozenset(("config", "delay", "env", "id", "inputs", "label", "prompts", "transform"))


def find_unknown_keys(config: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each name that is not known. Names that begin with `x-` are the user's own."""
    yield from _unknown(config, TOP, "the configuration")
    for provider in _list(config.get("providers")):
        if isinstance(provider, dict) and "id" in provider:
            yield from _unknown(provider, PROVIDER, "a provider")
    tests = [*_list(config.get("tests")), config.get("defaultTest")]
    for test in tests:
        if isinstance(test, dict):
            yield from _unknown(test, TEST, "a test")
            for assertion in _list(test.get("assert")):
                if isinstance(assertion, dict):
                    yield from _unknown(assertion, ASSERTION, "an assertion")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _unknown(value: Mapping[str, Any], known: Set[str], what: str) -> Iterator[str]:
    members = getattr(value, "members", {})
    for name in value:
        if name in known or name.startswith("x-"):
            continue
        place: Place | None = members.get(name) or place_of(value)
        where = "" if place is None else f"{place}: "
        hint = did_you_mean(name, known)
        yield f"{where}“{name}” is not a setting of {what} and is ignored.{hint}"
