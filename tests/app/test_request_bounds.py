"""Bounds on the cost of one unauthenticated request."""

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from edison.api.body_complexity import (
    ANONYMOUS_PATHS,
    DEEPEST_NESTING,
    MOST_ANONYMOUS_BYTES,
    MOST_PARTS,
    TooComplex,
    check_complexity,
)
from edison.api.policy import guarded_routes
from edison.api.schema import without_control_characters
from edison.workspace.accounts import passwords
from edison.workspace.accounts.models import AttemptWindow
from tests.support.application import APPLICATION
from tests.support.browser import Browser, error_of

LOGIN = "/api/v1/auth/login"
REGISTER = "/api/v1/auth/register"
PUBLIC = sorted(
    (route.method, route.path)
    for route in guarded_routes(APPLICATION)
    if route.policy.kind == "public"
)
WITH_BODY = [(method, path) for method, path in PUBLIC if method != "GET"]
JSON = {"content-type": "application/json"}
MOST_ANSWER_BYTES = 20_000


def many_keys(count: int) -> bytes:
    return json.dumps({f"k{number}": 1 for number in range(count)}).encode()


HOSTILE_BODIES = {
    "90,000 unknown keys": many_keys(90_000),
    "as many keys as fit": many_keys(1_200)[: MOST_ANONYMOUS_BYTES - 1] + b"}",
    "199 unknown keys": many_keys(199),
    "a long list": json.dumps({"email": [1] * 5_000}).encode(),
    "deep lists": b"[" * 8_000 + b"]" * 8_000,
    "deep objects": b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    "a megabyte of email": json.dumps({"email": "a@" * 500_000, "password": "x"}).encode(),
    "a megabyte of password": json.dumps({"email": "a@b.c", "password": "é" * 500_000}).encode(),
    "a long key": json.dumps({"k" * 16_000: 1}).encode(),
    "an endless string": b'{"email": "' + b'\\"' * 8_000,
    "a long number": b'{"email": ' + b"9" * 16_000 + b"}",
    "nothing": b"",
    "half": b'{"email":',
    "not text": b"\xff\xfe" * 8_000,
}


def test_every_public_route_with_a_body_has_the_small_limits() -> None:
    assert WITH_BODY
    assert [path for _, path in WITH_BODY if not ANONYMOUS_PATHS.fullmatch(path)] == []


@pytest.mark.parametrize(("method", "path"), WITH_BODY)
async def test_public_routes_bound_the_size_of_error_responses(
    anonymous: Browser, method: str, path: str
) -> None:
    for name, body in HOSTILE_BODIES.items():
        response = await anonymous.request(method, path, content=body, headers=JSON)
        assert response.status_code in {400, 401, 403, 404, 413, 429}, name
        assert len(response.content) < MOST_ANSWER_BYTES, name
        details = error_of(response)["details"]
        assert not isinstance(details, list) or len(details) <= 21, name


HOSTILE_HEADS: list[tuple[str, dict[str, str], str, int | None]] = [
    ("&".join(f"q{number}=1" for number in range(5_000)), {}, "", 414),
    ("a&" * 7_000, {}, "", None),
    ("", {"cookie": "; ".join(f"c{number}=1" for number in range(9_000))}, "", 431),
    ("", {"x-long": "x" * 40_000}, "", 431),
    ("", {f"x-{number}": "1" for number in range(200)}, "", 431),
    ("", {"authorization": "Bearer " + "x" * 31_000}, "", None),
    ("", {}, "/" + "a/" * 4_000, 414),
]


@pytest.mark.parametrize(("method", "public"), PUBLIC)
async def test_large_request_headers_are_refused(
    anonymous: Browser, method: str, public: str
) -> None:
    for query, headers, path, status in HOSTILE_HEADS:
        response = await anonymous.request(method, f"{public}{path}?{query}", headers=headers)
        assert len(response.content) < MOST_ANSWER_BYTES or response.status_code == 200
        assert response.status_code < 500
        assert status in {None, response.status_code}


async def test_at_most_twenty_problems_are_listed_and_the_rest_counted(anonymous: Browser) -> None:
    body = many_keys(150)
    response = await anonymous.post(LOGIN, content=body, headers=JSON)
    details = error_of(response)["details"]
    assert response.status_code == 400
    assert len(details) == 21
    # Two more fields are missing.
    assert details[-1] == {
        "field": "body",
        "message": "132 more problems are not listed.",
        "code": "more_problems",
    }


async def test_the_name_of_an_unknown_field_is_cut(anonymous: Browser) -> None:
    body = {"email": "a@b.c", "password": "x", "k" * 9_000: 1}
    error = error_of(await anonymous.post(LOGIN, json=body))
    assert error["details"][0]["field"] == "k" * 200 + "…"
    assert len(error["path"]) == 201


@pytest.mark.parametrize(
    ("path", "limit_name"), [(LOGIN, "login:address:"), (REGISTER, "register:address:")]
)
async def test_malformed_attempts_count_against_the_limit(
    app: FastAPI,
    anonymous: Browser,
    path: str,
    limit_name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app.state.settings = app.state.settings.model_copy(update={"login_attempts": 5})

    async def never(*_: Any) -> bool:
        raise AssertionError("a password was hashed")

    monkeypatch.setattr(passwords, "matches", never)
    monkeypatch.setattr(passwords, "hash_password", never)
    malformed: list[bytes] = [b"{", b"[]", b'{"email": 1}', many_keys(300), b'{"x": "\\u0000"}']
    for body in malformed:
        assert (await anonymous.post(path, content=body, headers=JSON)).status_code == 400
    assert (await anonymous.post(path, content=b"{", headers=JSON)).status_code == 429
    good = {"email": "ada@example.org", "password": "Analytical-Engine-1843!"}
    refused = await anonymous.post(path, json=good)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    async with app.state.database.read() as session:
        counted = await session.scalars(
            select(AttemptWindow.count).where(AttemptWindow.key.startswith(limit_name))
        )
    assert list(counted) == [5]


@pytest.mark.parametrize("text", ["x" * 1_000_000, '"\\"' * 300_000, "[" * 400_000, "," * 900_000])
def test_long_strings_do_not_count_as_structure(text: str) -> None:
    check_complexity(json.dumps({"text": text}).encode(), path="/api/v1/projects")


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"1," * MOST_PARTS + b"1]",
        b"[" * (DEEPEST_NESTING + 1) + b"]" * (DEEPEST_NESTING + 1),
        b'{"a":' * (DEEPEST_NESTING + 1),
        b'{"a": "\\\\", "b": ' + b"[" * 100,
        b"{}," * MOST_PARTS,
    ],
)
def test_structure_inside_strings_is_not_counted(body: bytes) -> None:
    with pytest.raises(TooComplex):
        check_complexity(body, path="/api/v1/projects")


def test_counting_takes_no_longer_for_hostile_bodies_of_the_same_size() -> None:
    """Compares processor times; each is the best of several runs."""

    def cost(body: bytes) -> float:
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            with suppress(TooComplex):
                check_complexity(body, path="/api/v1/projects")
            best = min(best, time.process_time() - started)
        return best

    size = 1_000_000
    plain = cost(json.dumps({"text": "[" * size}).encode())
    for hostile in (
        b'"' + b'\\"' * (size // 2),
        b'"' * size,
        b'"\\' * (size // 2),
        b'""[' * 300_000,
    ):
        assert cost(hostile) < 200 * plain + 0.2


def test_long_texts_are_scanned_quickly() -> None:
    text = "é" * 1_000_000
    started = time.process_time()
    assert without_control_characters(text) is text
    slow = time.process_time() - started
    started = time.process_time()
    assert all(character != "x" for character in text)
    assert slow < time.process_time() - started
