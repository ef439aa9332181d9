"""All guard rails, discovered from their modules."""

from collections.abc import Collection
from functools import cache

from edison.kit.registry import keys_of, load_plugin
from edison.pipeline.refine.change import Change
from edison.pipeline.refine.guardrail import GuardRail, Violation

PACKAGE = "edison.pipeline.refine.guardrails"


@cache
def guard_rails() -> tuple[GuardRail, ...]:
    return tuple(load_plugin(PACKAGE, key, GuardRail)() for key in keys_of(PACKAGE))


def check_all(change: Change, *, without: Collection[str] = ()) -> tuple[Violation, ...]:
    """Returns all violations of a change; `without` are keys of rails to skip."""
    found = (rail.check(change) for rail in guard_rails() if rail.key() not in without)
    return tuple(violation for violation in found if violation is not None)
