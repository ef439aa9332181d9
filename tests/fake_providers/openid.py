"""A small but real local OpenID provider that can be configured to misbehave."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlencode

import jwt
from aiohttp import web
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

CLIENT_ID = "edison-client"
CLIENT_SECRET = "s3cret: with / odd characters"


@dataclass
class Misbehaviour:
    """What to do wrong; all off by default."""

    claims: dict[str, Any] = field(default_factory=dict)
    without: set[str] = field(default_factory=set)
    algorithm: str = "RS256"
    signed_by_stranger: bool = False
    slow_at: str | None = None
    fails_at: str | None = None
    html_at: str | None = None
    huge_at: str | None = None
    redirects_at: str | None = None
    denies: str | None = None
    discovery: dict[str, Any] = field(default_factory=dict)
    userinfo_subject: str | None = None
    header: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, Any] = field(default_factory=dict)
    keys: list[Any] | None = None


class OpenIdProvider:
    """Approves every visitor as the person in `person`."""

    def __init__(self, keys: list[rsa.RSAPrivateKey]) -> None:
        self._rsa_keys = keys
        self._ec_key = ec.generate_private_key(ec.SECP256R1())
        self._key = 0
        self._codes: dict[str, dict[str, str]] = {}
        self.person: dict[str, Any] = {
            "sub": "ada-1815",
            "email": "Ada@Example.org",
            "email_verified": True,
            "name": "Ada Lovelace",
        }
        self.wrong = Misbehaviour()
        self.calls: list[str] = []
        self.issuer = ""

    def rotate_key(self) -> None:
        self._key += 1

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._misbehave])
        app.router.add_get("/.well-known/openid-configuration", self._discovery)
        app.router.add_get("/authorize", self._authorize)
        app.router.add_post("/token", self._token)
        app.router.add_get("/userinfo", self._userinfo)
        app.router.add_get("/jwks", self._jwks)
        return app

    @web.middleware
    async def _misbehave(self, request: web.Request, handler: Any) -> web.StreamResponse:
        place = request.path.rpartition("/")[2]
        self.calls.append(place)
        if place == self.wrong.slow_at:
            await asyncio.sleep(60)
        if place == self.wrong.fails_at:
            return web.Response(status=500, text="Traceback (most recent call last)")
        if place == self.wrong.html_at:
            return web.Response(text="<html>Sign in to the wifi</html>", content_type="text/html")
        if place == self.wrong.huge_at:
            return web.json_response({"padding": "x" * 1_000_000})
        if place == self.wrong.redirects_at:
            raise web.HTTPTemporaryRedirect(f"{self.issuer}/elsewhere")
        answer: web.StreamResponse = await handler(request)
        return answer

    async def _discovery(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "jwks_uri": f"{self.issuer}/jwks",
            }
            | self.wrong.discovery
        )

    async def _authorize(self, request: web.Request) -> web.Response:
        asked = request.query
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT_ID
        assert "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256"
        if self.wrong.denies is not None:
            answer = {"error": self.wrong.denies, "state": asked["state"]}
        else:
            code = base64.urlsafe_b64encode(hashlib.sha256(asked["state"].encode()).digest())
            self._codes[code.decode()] = dict(asked)
            answer = {"code": code.decode(), "state": asked["state"], "iss": self.issuer}
        raise web.HTTPFound(f"{asked['redirect_uri']}?{urlencode(answer)}")

    async def _token(self, request: web.Request) -> web.Response:
        form = await request.post()
        scheme, _, pair = request.headers.get("Authorization", "").partition(" ")
        sent = base64.b64decode(pair).decode().partition(":") if scheme == "Basic" else ("", "", "")
        client = (
            (unquote(sent[0]), unquote(sent[2]))
            if scheme == "Basic"
            else (form.get("client_id"), form.get("client_secret"))
        )
        if client != (CLIENT_ID, CLIENT_SECRET):
            return web.json_response({"error": "invalid_client"}, status=401)
        asked = self._codes.pop(str(form.get("code")), None)
        digest = hashlib.sha256(str(form.get("code_verifier")).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or asked["redirect_uri"] != form.get("redirect_uri")
        ):
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response(
            {
                "access_token": "at",
                "token_type": "Bearer",
                "id_token": self._id_token(asked["nonce"]),
            }
            | self.wrong.tokens
        )

    def _id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **self.person,
            **self.wrong.claims,
        }
        claims = {name: value for name, value in claims.items() if name not in self.wrong.without}
        return self._sign(claims)

    def _sign(self, claims: dict[str, Any]) -> str:
        algorithm, kid = self.wrong.algorithm, f"key-{self._key}"
        if algorithm == "none":
            return jwt.encode(claims, None, algorithm="none", headers={"kid": kid})
        if algorithm == "HS256":
            # Algorithm confusion: the public key, which is known to all, used as a shared secret.
            # Libraries refuse to make such a token, so it is assembled by hand.
            public = self._rsa_keys[self._key].public_key()
            pem = public.public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
            header = {"alg": "HS256", "typ": "JWT", "kid": kid}
            body = ".".join(_part(json.dumps(part).encode()) for part in (header, claims))
            return f"{body}.{_part(hmac.digest(pem, body.encode(), 'sha256'))}"
        if algorithm == "ES256":
            return jwt.encode(claims, self._ec_key, "ES256", headers={"kid": "ec"})
        index = -1 if self.wrong.signed_by_stranger else self._key
        # Below the claims layer, which refuses to write invalid claims.
        headers = {"typ": "JWT", "kid": kid, **self.wrong.header}
        headers = {name: value for name, value in headers.items() if value is not None}
        payload = json.dumps(claims).encode()
        return jwt.api_jws.encode(payload, self._rsa_keys[index], "RS256", headers=headers)

    async def _userinfo(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer at"
        subject = self.wrong.userinfo_subject or self.person["sub"]
        return web.json_response(self.person | {"sub": subject})

    def public_key(self) -> dict[str, Any]:
        """The current signing key as a JSON Web Key, without id, use and algorithm."""
        return RSAAlgorithm.to_jwk(self._rsa_keys[self._key].public_key(), as_dict=True)

    async def _jwks(self, _request: web.Request) -> web.Response:
        if self.wrong.keys is not None:
            return web.json_response({"keys": self.wrong.keys})
        elliptic = ECAlgorithm.to_jwk(self._ec_key.public_key(), as_dict=True)
        return web.json_response(
            {
                "keys": [
                    {**self.public_key(), "kid": f"key-{self._key}", "use": "sig", "alg": "RS256"},
                    {**elliptic, "kid": "ec", "use": "sig"},
                ]
            }
        )


def _part(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


@asynccontextmanager
async def running_provider(keys: list[rsa.RSAPrivateKey]) -> AsyncIterator[OpenIdProvider]:
    provider = OpenIdProvider(keys)
    server = TestServer(provider.application(), host="127.0.0.1")
    await server.start_server()
    provider.issuer = str(server.make_url("")).rstrip("/")
    yield provider
    await server.close()
