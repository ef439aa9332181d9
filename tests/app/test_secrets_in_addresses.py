"""Secrets in URLs stay out of logs, traces, responses and metrics."""

import io
import re
import sys
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from edison.api.policy import guarded_routes
from edison.kit import ids
from edison.kit.redaction import redact_text
from tests.support.application import APPLICATION
from tests.support.browser import Browser

PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
# IDs, numbers and names that are not secret. Every other parameter is treated as a secret.
HARMLESS = {"project", "prompt_name", "version_label", "position", "step", "candidate_number"}
ROUTES = sorted({route.path for route in guarded_routes(APPLICATION)})
# Paths of pages whose secrets also reach the server: it answers all of them with one page.
PAGES = ["/invitations/{token}", "/sign-in/{token}", "/reset-password/{token}", "/shared/{token}"]

WHOLE = ids.new_secret()
SECRETS = [
    WHOLE,
    WHOLE[:20],
    WHOLE[:7] + "9",
    WHOLE.lower(),
    WHOLE.upper(),
    "edn_" + WHOLE,
    "1f2e3d4c5b6a79880123456789abcdef",
    "K7Q2-9XMD",
    "123456x",
]


def is_secret(parameter: str) -> bool:
    return parameter not in HARMLESS and not parameter.endswith("_id")


def secret_paths() -> list[str]:
    return [path for path in [*ROUTES, *PAGES] if any(map(is_secret, PARAMETER.findall(path)))]


def fill(path: str, secret: str) -> str:
    harmless = "0199e0a0-0000-7000-8000-000000000001"
    return PARAMETER.sub(lambda match: secret if is_secret(match[1]) else harmless, path)


def test_routes_with_secrets_are_found() -> None:
    assert "/api/v1/invitations/{token}/accept" in secret_paths()


@pytest.mark.parametrize("path", secret_paths())
def test_secrets_in_paths_are_masked_in_any_format(path: str) -> None:
    for secret in SECRETS:
        for address in (
            fill(path, secret),
            fill(path, secret) + "/",
            fill(path, secret) + "/more",
            "/base" + fill(path, secret),
            fill(path, secret).replace("invitations", "Invitations"),
            f"GET https://edison.example.org{fill(path, secret)}?page=2 took long",
            "/login?next=" + quote(fill(path, secret), safe=""),
        ):
            assert secret not in redact_text(address), address


@pytest.mark.parametrize("path", [path for path in ROUTES if path not in secret_paths()])
def test_other_paths_stay_readable(path: str) -> None:
    filled = PARAMETER.sub("0199e0a0-0000-7000-8000-000000000001", path)
    assert redact_text(filled) == filled


@pytest.mark.parametrize(
    "name", ["token", "code", "state", "key", "signature", "invitation", "ticket", "otp", "secret"]
)
def test_secrets_in_queries_are_masked_in_any_format(name: str) -> None:
    for secret in SECRETS:
        for address in (f"/sign-in?{name}={secret}", f"/x?a=1&{name}={secret}&b=2"):
            assert secret not in redact_text(address)


def test_path_segments_after_a_secret_stay_readable() -> None:
    assert redact_text(f"/api/v1/invitations/{WHOLE}/accept") == "/api/v1/invitations/***/accept"


async def test_no_secret_of_an_address_is_logged_answered_or_counted(
    app: FastAPI, anonymous: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    answers = []
    for path in secret_paths():
        for method in ("GET", "POST", "DELETE"):
            for secret in SECRETS:
                answer = await anonymous.request(method, fill(path, secret) + f"?token={secret}")
                answers.append(answer.text + str(answer.headers))
    monkeypatch.undo()
    measured = (await anonymous.get("/metrics")).text
    everything = "".join([written.getvalue(), measured, *answers])
    assert "/invitations/***" in written.getvalue()
    assert [secret for secret in SECRETS if secret in everything] == []
