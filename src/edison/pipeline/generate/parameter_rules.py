"""Allowed values of a model's parameters.

The ranges here are Edison's. A provider narrows them where its vendor allows less.
"""

from collections.abc import Iterator

from edison.kit.errors import FieldProblem
from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.generate.call import Parameters

RANGED = ("temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRange:
    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRules:
    """Ranges include their ends. `allows_both_samplings`: temperature and top-p may be set
    together. `allows_blank_stop`: a stop sequence may consist of white space only.
    """

    temperature: ParameterRange = ParameterRange(low=0, high=2)
    max_tokens: ParameterRange = ParameterRange(low=1, high=100_000)
    top_p: ParameterRange = ParameterRange(low=0, high=1)
    frequency_penalty: ParameterRange = ParameterRange(low=-2, high=2)
    presence_penalty: ParameterRange = ParameterRange(low=-2, high=2)
    seed: ParameterRange = ParameterRange(low=-(2**63), high=2**63 - 1)
    max_stops: int = 4
    max_stop_characters: int = 200
    allows_both_samplings: bool = True
    allows_blank_stop: bool = True


def problems_of(parameters: Parameters, rules: ParameterRules) -> list[FieldProblem]:
    """All violations of the rules; field names begin with `parameters.`."""
    return [
        *_outside_ranges(parameters, rules),
        *_bad_stops(parameters.stop or (), rules),
        *_bad_pair(parameters, rules),
    ]


def _outside_ranges(parameters: Parameters, rules: ParameterRules) -> Iterator[FieldProblem]:
    for name in RANGED:
        value, allowed = getattr(parameters, name), getattr(rules, name)
        if value is not None and value not in allowed:
            message = f"Enter a value from {allowed.low:,} to {allowed.high:,}."
            yield _problem(name, message, "out_of_range")


def _bad_stops(stops: tuple[str, ...], rules: ParameterRules) -> Iterator[FieldProblem]:
    if len(stops) > rules.max_stops:
        yield _problem("stop", f"Enter at most {rules.max_stops} stop sequences.", "too_many")
    for index, text in enumerate(stops):
        if not text:
            yield _problem(f"stop.{index}", "A stop sequence cannot be empty.", "empty")
        elif not text.strip() and not rules.allows_blank_stop:
            message = "This provider refuses stop sequences of white space alone."
            yield _problem(f"stop.{index}", message, "blank")
        elif len(text) > rules.max_stop_characters:
            message = f"A stop sequence has at most {rules.max_stop_characters} characters."
            yield _problem(f"stop.{index}", message, "too_long")


def _bad_pair(parameters: Parameters, rules: ParameterRules) -> Iterator[FieldProblem]:
    both = parameters.temperature is not None and parameters.top_p is not None
    if both and not rules.allows_both_samplings:
        yield _problem("top_p", "This model takes either temperature or top-p.", "not_both")


def _problem(name: str, message: str, code: str) -> FieldProblem:
    return FieldProblem(field=f"parameters.{name}", message=message, code=code)
