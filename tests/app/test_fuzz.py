"""Fuzzes the API: no 500s, and only responses that the OpenAPI document declares."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from pydantic import SecretStr
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from edison.settings import Settings
from tests.support.application import describe
from tests.support.databases import SqliteDatabases
from tests.support.patience import PATIENCE_SECONDS
from tests.support.server import running_server
from tests.support.thorough import rounds

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = rounds(2, thorough=20)
# Endless streams, and routes that would sign the tester out.
LEFT_OUT = [
    "stream_project_events",
    "stream_run_events",
    "logout",
    "change_password",
    "change_me",
    "end_session",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, signing_key: str) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    edison = Settings(
        data_dir=folder,
        database_url=SecretStr(SqliteDatabases(folder).fresh_url(folder)),
        jwt_private_key=SecretStr(signing_key),
        requests_per_minute=1_000_000,
        requests_per_minute_signed_in=1_000_000,
        login_attempts=1_000_000,
        # All requests share one connection.
        database_connections=2,
        database_wait_seconds=20,
        engine="inline",
    )
    with running_server(edison) as running:
        yield running.url


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInOwner:
    """Headers of a signed-in project owner, and the contents of the project."""

    headers: dict[str, str]
    places: dict[str, str]


@pytest.fixture(scope="module")
def signed_in(server: str) -> dict[str, str]:
    with httpx.Client(base_url=server, timeout=PATIENCE_SECONDS) as client:
        body = {"email": "fuzz@example.org", "password": "Analytical-Engine-1843!"}
        assert client.post("/api/v1/auth/register", json=body).status_code == 201
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        return {"Cookie": cookies, "X-CSRF-Token": client.cookies["edison_csrf"]}


@pytest.fixture
def someone(server: str, signed_in: dict[str, str]) -> SignedInOwner:
    """One project per route, so that results do not depend on the routes tried before in this
    process.
    """
    with httpx.Client(base_url=server, headers=signed_in, timeout=PATIENCE_SECONDS) as client:
        created = client.post("/api/v1/projects", json={"name": "Fuzz"})
        assert created.status_code == 201, created.text
        slug = created.json()["slug"]
        begun = client.post(
            f"/api/v1/projects/{slug}/experiments", json={"template": "customer_support"}
        )
        assert begun.status_code == 201, begun.text
    return SignedInOwner(
        headers=signed_in, places={"project": slug, "experiment_id": begun.json()["id"]}
    )


API = schemathesis.openapi.from_dict(describe()).exclude(operation_id=LEFT_OUT)
OPERATIONS = {operation.ok().label: operation.ok() for operation in API.get_all_operations()}


def test_routes_are_collected_for_fuzzing() -> None:
    assert len(OPERATIONS) > 20


@pytest.mark.parametrize("label", OPERATIONS)
def test_responses_match_the_openapi_document(
    label: str, server: str, someone: SignedInOwner
) -> None:
    @given(case=OPERATIONS[label].as_strategy())
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def throw(case: schemathesis.Case) -> None:
        # A random project is never the tester's; deletion is tried on foreign projects only.
        if case.method != "DELETE":
            own = {name: someone.places.get(name) for name in case.path_parameters}
            case.path_parameters |= {name: value for name, value in own.items() if value}
        case.call_and_validate(
            base_url=server, headers=someone.headers, checks=CHECKS, timeout=PATIENCE_SECONDS
        )

    throw()
