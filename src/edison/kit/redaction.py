"""Redacts secrets in logs, traces and the texts of providers, anywhere in a line.

Masks values whose name suggests a secret (`password`, `Authorization` …), and values with the shape
of a secret under any name, also within an exception's text. The result consists of plain JSON types
only, so no renderer calls an unredacted `repr`.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

MASK = "***"
DEEPEST = 8
LONGEST_HEAD, LONGEST_TAIL = 5_000, 15_000
LARGEST_INTEGER = 2**63 - 1

_SENSITIVE = (
    "password|passwd|passphrase|secret|token(?!iz)|authorization|cookie|csrf|api[_-]?key"
    "|private[_-]?key|credential"
)
_SENSITIVE_NAME = re.compile(_SENSITIVE, re.IGNORECASE)

# In `name=value`, `"name": "value"` and `Name: Bearer value`, as in reprs and headers. The bounds
# keep matching linear for text without spaces.
_NAMED_VALUE = re.compile(
    rf"""(?P<name>[\w.-]{{0,40}}(?:{_SENSITIVE})[\w.-]{{0,40}})(?P<sign>["']?\s{{0,3}}[:=]\s{{0,3}})"""
    r"""(?P<value>b?"(?:[^"\\]|\\.)*"|b?'(?:[^'\\]|\\.)*'"""
    r"""|(?:(?:bearer|basic)\s+)?["']?[^\s"',;&)}\]]+)""",
    re.IGNORECASE,
)
_COUNT_OR_ID = re.compile(r"\d+|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)

# The path segment after these is a secret, even if mistyped or truncated.
_BEFORE_SECRET = (
    *("invitation", "invitations", "invite", "invites", "sign-in", "sign-in-link", "sign-in-links"),
    *("reset-password", "password-reset", "password-resets", "verify-email", "confirm-email"),
    *("share-link", "share-links", "shared", "unsubscribe"),
)
_SECRET_IN_PATH = re.compile(
    rf"""((?:/|%2F)(?:{"|".join(_BEFORE_SECRET)})(?:/|%2F)+)([^\s"'?#&<>]+)""", re.IGNORECASE
)
_PLAIN_WORD = re.compile(r"[a-z-]{1,20}")


def _mask_path(match: re.Match[str]) -> str:
    """Keeps ids and the last word, which names the action: `/invitations/***/accept`."""
    segments = re.split(r"/|%2F", match[2], flags=re.IGNORECASE)
    if _COUNT_OR_ID.fullmatch(segments[0]):
        return match[0]
    verb = segments[-1] if len(segments) > 1 and _PLAIN_WORD.fullmatch(segments[-1]) else None
    return f"{match[1]}{MASK}" + (f"/{verb}" if verb else "")


_SHAPES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|\Z)", re.DOTALL),
        MASK,
    ),
    # Passwords in database URLs may contain anything but a space; elsewhere `:8000/…@` is no
    # password.
    (
        re.compile(r"\b((?:postgres\w*|mysql|redis|amqp|mongodb)[+\w]*://[^\s:/@]*:)[^\s\"']+@"),
        rf"\1{MASK}@",
    ),
    (re.compile(r"(\w://[^\s:/@]*:)[^\s/@]+@"), rf"\1{MASK}@"),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{4,}", re.IGNORECASE), rf"\1 {MASK}"),
    (re.compile(r"\beyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?"), MASK),
    (re.compile(r"edn_[\w-]+"), MASK),
    (re.compile(r"\bwhsec_[\w+/=-]+"), MASK),
    (re.compile(r"(hooks\.slack\.com/services/)[^\s\"']+"), rf"\1{MASK}"),
    (re.compile(r"\b(?:sk|pk|rk)[-_][\w-]{8,}"), MASK),
    (re.compile(r"\bgh[pousr]_\w{16,}|\bgithub_pat_\w{16,}"), MASK),
    (re.compile(r"\bA[KS]IA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bxox[abeprs]-[\w-]{8,}"), MASK),
    (re.compile(r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}"), MASK),
    # One-time values in URLs: authorization code and state of a sign-in.
    (
        re.compile(
            r"([?&#](?:code|state|sig|signature|key|invitation|invite|ticket|otp|link)=)[^&\s\"']+",
            re.IGNORECASE,
        ),
        rf"\1{MASK}",
    ),
    (_SECRET_IN_PATH, _mask_path),
    # Pydantic quotes the rejected value.
    (re.compile(r"(input_value=).*?(, input_type=)", re.DOTALL), rf"\1{MASK}\2"),
    # Secrets of `kit.ids.new_secret` (43 characters of URL-safe base64) have no prefix.
    (re.compile(r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43,}"), MASK),
)

# Most text contains no secret; searching for these first costs a hundredth.
_HINTS = (
    *("passw", "passphrase", "secret", "token", "authorization", "cookie", "csrf", "apikey"),
    *("api_key", "api-key", "private", "credential", "://", "bearer", "basic", "eyj", "edn_"),
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "akia", "asia", "aiza", "xox", "$2", "?", "&", "#", "input_value"),
    "whsec_",
    *_BEFORE_SECRET,
)
_SHORTEST_UNPREFIXED = 43


def redact(value: Any, *, depth: int = 0) -> Any:
    """A copy in plain JSON types, without secrets."""
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return int(value)
    if isinstance(value, Mapping | list | tuple | set | frozenset):
        return "…" if depth >= DEEPEST else _redact_inside(value, depth + 1)
    return redact_text(_text_of(value))


def _redact_inside(value: Any, depth: int) -> Any:
    if not isinstance(value, Mapping):
        return [redact(item, depth=depth) for item in value]
    return {
        redact_text(str(name)): MASK
        if is_sensitive_name(str(name), item)
        else redact(item, depth=depth)
        for name, item in value.items()
    }


def is_sensitive_name(name: str, value: object) -> bool:
    """Whether a value must be masked because of its name."""
    return _SENSITIVE_NAME.search(name) is not None and not _is_count_or_id(name, str(value))


def _is_count_or_id(name: str, value: str) -> bool:
    """`max_tokens=100` and `token_id=<uuid>` are not secret."""
    return name.lower().endswith(("tokens", "_id")) and _COUNT_OR_ID.fullmatch(value) is not None


def redact_text(text: str) -> str:
    # Lone surrogates cannot be encoded as UTF-8, and logging must never fail.
    text = _shorten(text).encode("utf-8", "backslashreplace").decode()
    lowered = text.lower()
    if len(text) < _SHORTEST_UNPREFIXED and not any(hint in lowered for hint in _HINTS):
        return text
    if _SENSITIVE_NAME.search(text):
        text = _NAMED_VALUE.sub(_mask_named, text)
    for shape, replacement in _SHAPES:
        text = shape.sub(replacement, text)
    return text


def _shorten(text: str) -> str:
    """Keeps both ends, which matter most in a traceback. Cuts at spaces: part of a secret would not
    be recognised.
    """
    if len(text) <= LONGEST_HEAD + LONGEST_TAIL:
        return text
    head = text[:LONGEST_HEAD].rpartition(" ")[0]
    tail = text[-LONGEST_TAIL:].partition(" ")[2]
    return f"{head} […] {tail}"


def _mask_named(match: re.Match[str]) -> str:
    if _is_count_or_id(match["name"], match["value"]):
        return match[0]
    return f"{match['name']}{match['sign']}{MASK}"


def _text_of(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, UUID | datetime | Path):
        return str(value)
    if isinstance(value, bytes | bytearray):
        return value.decode("utf-8", "backslashreplace")
    try:
        return repr(value)
    except Exception:
        # A failing repr must not prevent the log line.
        return f"<{type(value).__name__}>"
