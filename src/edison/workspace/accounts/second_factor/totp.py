"""Time-based one-time passwords (RFC 6238): SHA-1, six digits, steps of 30 seconds."""

import base64
import hashlib
import hmac
import re
import secrets
from datetime import datetime
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6
# Tolerated clock difference of phones, in steps.
SKEW = 1
ISSUER = "Edison"


def new_secret() -> str:
    """160 random bits in base32, as authenticator apps expect."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int) -> str:
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_at(moment: datetime) -> int:
    return int(moment.timestamp()) // STEP_SECONDS


def matching_step(secret: str, code: str, moment: datetime) -> int | None:
    """The time step whose code this is, within the allowed skew."""
    digits = re.sub(r"\s", "", code)
    now = step_at(moment)
    found = None
    for step in range(now - SKEW, now + SKEW + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), digits.encode()):
            found = step
    return found


def enrolment_uri(secret: str, *, account: str) -> str:
    """Content of the QR code (the `otpauth` scheme of authenticator apps)."""
    label = quote(f"{ISSUER}:{account}", safe="")
    return f"otpauth://totp/{label}?secret={secret}&issuer={ISSUER}&digits={DIGITS}&period=30"
