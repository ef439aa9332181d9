"""A fake of the parts of GitHub that sign-in uses."""

import base64
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.test_utils import TestServer

CLIENT_ID = "Iv1.edison"
CLIENT_SECRET = "github-secret"
ACCESS_TOKEN = "gho_0123456789abcdefghij"


class FakeGitHub:
    """Approves every visitor as `user`."""

    def __init__(self) -> None:
        self.user: Any = {"id": 1815, "login": "ada", "name": "Ada Lovelace"}
        self.emails: Any = [
            {"email": "other@example.org", "primary": False, "verified": True},
            {"email": "ada@example.org", "primary": True, "verified": True},
        ]
        self.refuses_code = False
        self.url = ""
        self._codes: dict[str, str] = {}

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/login/oauth/authorize", self._authorize)
        app.router.add_post("/login/oauth/access_token", self._token)
        app.router.add_get("/api/user", self._read_user)
        app.router.add_get("/api/user/emails", self._read_emails)
        return app

    async def _authorize(self, request: web.Request) -> web.Response:
        asked = request.query
        assert asked["client_id"] == CLIENT_ID
        assert asked["code_challenge_method"] == "S256"
        self._codes["code-1"] = asked["code_challenge"]
        answer = {"code": "code-1", "state": asked["state"]}
        raise web.HTTPFound(f"{asked['redirect_uri']}?{urlencode(answer)}")

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        assert request.headers["Accept"] == "application/json"
        digest = hashlib.sha256(str(form["code_verifier"]).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        is_right = (
            (form["client_id"], form["client_secret"]) == (CLIENT_ID, CLIENT_SECRET)
            and self._codes.pop(str(form["code"]), None) == challenge
            and not self.refuses_code
        )
        # GitHub answers 200 in both cases.
        return web.json_response(
            {"access_token": ACCESS_TOKEN, "token_type": "bearer"}
            if is_right
            else {"error": "bad_verification_code"}
        )

    async def _read_user(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == f"Bearer {ACCESS_TOKEN}"
        return web.json_response(self.user)

    async def _read_emails(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == f"Bearer {ACCESS_TOKEN}"
        return web.json_response(self.emails)


@asynccontextmanager
async def running_github() -> AsyncIterator[FakeGitHub]:
    github = FakeGitHub()
    server = TestServer(github.application(), host="127.0.0.1")
    await server.start_server()
    github.url = str(server.make_url("")).rstrip("/")
    yield github
    await server.close()
