"""Default deny: every route declares its access policy in its signature, or start-up fails.

A guard is a dependency that carries its policy. Slices define guards (`workspace/accounts/access`,
`workspace/projects/access`); this module finds them in a route.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Who may call a route.

    `role` is the minimum role in the project, for kind `member`. Unless `accepts_tokens`, a browser
    session is required.
    """

    kind: Literal["public", "signed_in", "member"]
    role: str | None = None
    accepts_tokens: bool = True


class Guard:
    """A callable dependency that enforces `policy`."""

    policy: Policy


class PublicGuard(Guard):
    """Allows anonymous callers, as an explicit decision."""

    policy = Policy(kind="public")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedRoute:
    method: str
    path: str
    policy: Policy
    name: str


class UnguardedRoute(RuntimeError):
    """A route has no policy, or more than one."""


def guarded_routes(app: FastAPI) -> list[GuardedRoute]:
    """All routes with their policies. Raises UnguardedRoute."""
    routes = []
    for route in app.routes:
        if not isinstance(route, APIRoute):
            continue
        policies = {guard.policy for guard in _guards(route.dependant)}
        if len(policies) != 1:
            raise UnguardedRoute(
                f"{sorted(route.methods or ())} {route.path} must name exactly one policy in its "
                f"signature, but names {len(policies)}."
            )
        (policy,) = policies
        routes += [
            GuardedRoute(method=method, path=route.path, policy=policy, name=route.name)
            for method in sorted(route.methods or ())
        ]
    return routes


def _guards(dependant: Dependant) -> Iterator[Guard]:
    for child in dependant.dependencies:
        if isinstance(child.call, Guard):
            yield child.call
        else:
            yield from _guards(child)
