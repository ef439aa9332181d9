"""Response bodies as documented for Vertex AI, and Google's exchange of keys for tokens."""

import json
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.fake_providers.scripted_server import Answer, Stream

TOKEN = "ya29.planted-token"
TOKEN_ANSWER = Answer(body={"access_token": TOKEN, "expires_in": 3599, "token_type": "Bearer"})
REFUSED_GRANT = Answer(
    status=400, body={"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
)
USAGE = {
    "promptTokenCount": 20,
    "cachedContentTokenCount": 12,
    "candidatesTokenCount": 5,
    "thoughtsTokenCount": 4,
    "totalTokenCount": 29,
}


@cache
def private_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def service_account(token_uri: str) -> str:
    pem = private_key().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return json.dumps(
        {
            "type": "service_account",
            "project_id": "my-project",
            "private_key_id": "key-1",
            "private_key": pem.decode(),
            "client_email": "edison@my-project.iam.gserviceaccount.com",
            "token_uri": token_uri,
        }
    )


def document(*parts: Any, finish_reason: str | None = "STOP", **rest: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish_reason:
        candidate["finishReason"] = finish_reason
    return {
        "candidates": [candidate],
        "modelVersion": "gemini-x-001",
        "responseId": "resp-1",
        **rest,
    }


def answer(*parts: Any, finish_reason: str = "STOP", usage: Any = USAGE) -> Answer:
    found = parts or ({"text": "Paris."},)
    return Answer(body=document(*found, finish_reason=finish_reason, usageMetadata=usage))


def chunk(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\r\n\r\n"


def text_stream(*texts: str) -> Stream:
    *first, last = texts
    pieces = [chunk(document({"text": text}, finish_reason=None)) for text in first]
    return Stream(pieces=[*pieces, chunk(document({"text": last}, usageMetadata=USAGE))])


def error(status: int, code: str, message: str = "Something.", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"error": {"code": status, "message": message, "status": code}}
    return Answer(status=status, body=body, headers=named)


BLOCKED = Answer(
    body={
        "promptFeedback": {"blockReason": "SAFETY"},
        "usageMetadata": {"promptTokenCount": 20, "totalTokenCount": 20},
        "modelVersion": "gemini-x-001",
    }
)
MODELS = Answer(
    body={
        "publisherModels": [
            {"name": "publishers/google/models/gemini-x", "versionId": "001"},
            {"name": "publishers/google/models/gemini-y", "versionId": "001"},
        ]
    }
)
