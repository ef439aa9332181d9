"""Default deny: every route declares its access policy in its signature, or start-up fails.

A guard is a dependency that carries its policy. Slices define guards (`workspace/accounts/access`,
`workspace/projects/access`); this module finds them in a route.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

from fastapi import FastAPI
from fastapi.params import Depends
from fastapi.routing import APIRoute

from edison.kit.lazy_dataclasses import dataclass


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
        called = [*_called(route.dependencies), route.endpoint]
        policies = {guard.policy for guard in _guards(called)}
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


def _guards(dependencies: Iterable[Callable[..., Any]]) -> Iterator[Guard]:
    for each in dependencies:
        if isinstance(each, Guard):
            yield each
        else:
            yield from _guards(_dependencies(each))


@cache
def _dependencies(called: Any) -> Sequence[Callable[..., Any]]:
    """Those that a handler or a dependency declares for its parameters. As FastAPI finds them, but
    without its analysis of all parameters, which takes fifty times as long.
    """
    function = called
    if isinstance(called, type):
        function = called.__init__  # type: ignore[misc]  # read, not called
    if not inspect.isroutine(function):
        function = type(called).__call__
    annotations = inspect.get_annotations(function, eval_str=True)
    annotations.pop("return", None)
    marks = [mark for each in annotations.values() for mark in _marks(each)]
    return _called(
        [*marks, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    )


def _called(marks: Iterable[Any]) -> Sequence[Callable[..., Any]]:
    dependencies = [mark.dependency for mark in marks if isinstance(mark, Depends)]
    return [each for each in dependencies if each is not None]


def _marks(annotation: Any) -> Sequence[Any]:
    return get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
