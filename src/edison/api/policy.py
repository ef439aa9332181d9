"""Default deny: every route says who may call it, in its signature, or the program does not start.

A guard is a dependency that carries its policy. Slices define guards (`workspace/accounts/access`,
`workspace/projects/access`); this module only knows how to find them in a route.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Who may call.

    `role` is the least role in the project, for kind `member`. Without `accepts_tokens` only a
    browser session will do.
    """

    kind: Literal["public", "signed_in", "member"]
    role: str | None = None
    accepts_tokens: bool = True


class Guard:
    """A callable dependency that enforces `policy`."""

    policy: Policy


class PublicGuard(Guard):
    """Anyone may call; written down so that it is a decision and not an oversight."""

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
    """The whole route table with its policies; raises when one route does not say."""
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
