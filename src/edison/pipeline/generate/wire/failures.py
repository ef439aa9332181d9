"""Maps every error of a call to a FailureReason and a message that users can act on.

Providers agree neither on status codes nor on bodies, so the text of an error takes precedence over
its status. The provider's text is not part of the message: it may quote the prompt. It is kept
beside it, without secrets, for those who may read the prompt.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace

from edison.kit.fast_frozen import fast_frozen
from edison.kit.lazy_dataclasses import dataclass
from edison.kit.redaction import redact_text
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.fault import OutboundFailed, OutboundFault
from edison.pipeline.generate.outcome import Billed, CallFailed, FailureReason, Usage
from edison.pipeline.generate.wire.json_value import Json
from edison.pipeline.generate.wire.retry_after import retry_after_seconds

RETRYABLE = frozenset(
    {FailureReason.RATE_LIMIT, FailureReason.TIMEOUT, FailureReason.NETWORK, FailureReason.PROVIDER}
)
# Searched in this order in an error's code, type, status and message.
CLUES: tuple[tuple[FailureReason, tuple[str, ...]], ...] = (
    (
        FailureReason.CONTEXT_LENGTH,
        (
            "context_length_exceeded",
            "maximum context length",
            "context window",
            "context length",
            "context size",
            "prompt is too long",
            "input is too long",
            "too many input tokens",
            "input token count",
            "string_above_max_length",
        ),
    ),
    (
        FailureReason.CONTENT_FILTER,
        ("content_filter", "content_policy", "responsibleaipolicy", "content management policy"),
    ),
    (
        FailureReason.QUOTA,
        (
            "insufficient_quota",
            "billing",
            "credit balance",
            "insufficient credits",
            "current quota",
        ),
    ),
    (
        FailureReason.MODEL_NOT_FOUND,
        ("model_not_found", "model not found", "model does not exist", "deploymentnotfound"),
    ),
    (
        FailureReason.INVALID_KEY,
        (
            "invalid_api_key",
            "incorrect api key",
            "authentication_error",
            "invalid api key",
            "api key not valid",
        ),
    ),
    (FailureReason.RATE_LIMIT, ("rate_limit", "rate limit", "too many requests")),
)
STATUS_REASONS = {
    401: FailureReason.INVALID_KEY,
    402: FailureReason.QUOTA,
    403: FailureReason.INVALID_KEY,
    408: FailureReason.TIMEOUT,
    413: FailureReason.CONTEXT_LENGTH,
    429: FailureReason.RATE_LIMIT,
    504: FailureReason.TIMEOUT,
}
UNSENT = frozenset(
    {
        OutboundFault.REFUSED,
        OutboundFault.DNS,
        OutboundFault.CONNECT,
        OutboundFault.CONNECT_TIMEOUT,
        OutboundFault.TLS,
    }
)
REQUEST_ID_HEADERS = ("x-request-id", "request-id", "apim-request-id", "x-amzn-requestid")
# A gateway may report these while the model behind it answers and is billed.
GATEWAY_STATUSES = frozenset({502, 504, *range(520, 528)})
PARAMETER_NAMES = frozenset(field.name for field in fields(Parameters))
# Longest text of a provider that is kept, in characters.
LONGEST_TEXT = 600


@fast_frozen
@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """Context of a request for error messages. `hide_secrets` removes secrets from the provider's
    text.
    """

    service: str
    model: str | None = None
    timeout_seconds: float = 60
    hide_secrets: Callable[[str], str] = redact_text


def failed(
    asked: RequestContext,
    reason: FailureReason,
    message: str | None = None,
    *,
    is_retryable: bool | None = None,
    usage: Usage | None = None,
) -> CallFailed:
    return CallFailed(
        reason=reason,
        message=message or sentence(asked, reason),
        is_retryable=reason in RETRYABLE if is_retryable is None else is_retryable,
        usage=usage,
    )


def sentence(asked: RequestContext, reason: FailureReason) -> str:
    service = asked.service
    model = f"the model {asked.model}" if asked.model else "the model"
    return {
        FailureReason.RATE_LIMIT: f"{service} limits how often it may be called.",
        FailureReason.INVALID_KEY: (
            f"{service} did not accept the credential. Check its key and what it may use."
        ),
        FailureReason.QUOTA: (
            f"The account at {service} has no credit or quota left. Add credit or raise its limit."
        ),
        FailureReason.TIMEOUT: f"{service} did not answer within {asked.timeout_seconds:g} s.",
        FailureReason.CONTENT_FILTER: (
            f"{service} refused the text under its content rules. Change the prompt or the input."
        ),
        FailureReason.MODEL_NOT_FOUND: (
            f"{service} does not have {model}, or the credential may not use it."
        ),
        FailureReason.CONTEXT_LENGTH: (
            f"The prompt is too long for {model}. Shorten it, or lower the maximum of tokens."
        ),
        FailureReason.NETWORK: f"The connection to {service} failed.",
        FailureReason.PROVIDER: f"{service} failed. Try again later.",
        FailureReason.MALFORMED_RESPONSE: f"{service} sent an answer that Edison cannot read.",
    }[reason]


def malformed(asked: RequestContext, what: str, *, usage: Usage | None = None) -> CallFailed:
    return failed(
        asked,
        FailureReason.MALFORMED_RESPONSE,
        f"{asked.service} sent an answer that Edison cannot read: {what}.",
        usage=usage,
    )


def cut_off(asked: RequestContext, *, usage: Usage | None = None) -> CallFailed:
    """`usage` is the provider's count up to the interruption."""
    message = f"{asked.service} broke off its answer in the middle."
    return failed(asked, FailureReason.NETWORK, message, usage=usage)


def failure_of_fault(asked: RequestContext, fault: OutboundFailed) -> CallFailed:
    return replace(_failure_of_fault(asked, fault), is_unsent=fault.fault in UNSENT)


def _failure_of_fault(asked: RequestContext, fault: OutboundFailed) -> CallFailed:
    if fault.fault is OutboundFault.CONNECT_TIMEOUT:
        return failed(asked, FailureReason.TIMEOUT, str(fault))
    if fault.fault is OutboundFault.TIMEOUT:
        return failed(asked, FailureReason.TIMEOUT)
    if fault.fault is OutboundFault.TOO_LARGE:
        return failed(asked, FailureReason.MALFORMED_RESPONSE, str(fault))
    # A wrong address or certificate does not change between two attempts.
    is_retryable = fault.fault not in {OutboundFault.REFUSED, OutboundFault.TLS}
    return failed(asked, FailureReason.NETWORK, str(fault), is_retryable=is_retryable)


def failure_of_answer(
    asked: RequestContext, status: int, headers: Mapping[str, str], body: bytes | None
) -> CallFailed:
    """Failure for an error status. `body` is None if it was cut off."""
    parsed = Json.parse(body or b"") or Json(None)
    failure = failure_of_error(asked, parsed, status=status, headers=headers)
    if failure.provider_text is None and body is not None and not parsed:
        failure = replace(failure, provider_text=_plain_text(asked, body))
    if body is None and status >= 500:
        return replace(failure, billed=Billed.UNKNOWN)
    return failure


def failure_of_error(
    asked: RequestContext, body: Json, *, status: int, headers: Mapping[str, str]
) -> CallFailed:
    """Failure for an error document. In a stream or a 200 response, the document is all
    there is.
    """
    error = body["error"] or body["detail"] or body
    code = error.count_of("code")
    is_accepted = status < 300
    if status < 400 and code is not None and 400 <= code < 600:
        status = code
    reason = _reason(error, status)
    wait = retry_after_seconds(headers)
    return CallFailed(
        reason=reason,
        message=_explain(asked, reason, error, status, wait),
        is_retryable=_is_retryable(reason, error, status),
        retry_after_seconds=wait,
        request_id=request_id(headers),
        billed=_billed(error, reason, status, is_accepted=is_accepted),
        provider_text=_provider_text(asked, error),
    )


def _provider_text(asked: RequestContext, error: Json) -> str | None:
    """The provider's own words, behind its code if it gave one."""
    message = error.text or error.text_of("message")
    code = error.text_of("code") or error.text_of("type") or error.text_of("status")
    parts = [part for part in (code, message) if part]
    return _shortened(asked, *parts) if parts else None


def _plain_text(asked: RequestContext, body: bytes) -> str | None:
    """The text of an error that is neither JSON nor a web page."""
    text = body.decode("utf-8", "replace").strip()
    return None if not text or text.startswith("<") else _shortened(asked, text)


def _shortened(asked: RequestContext, *parts: str) -> str:
    # Secrets are removed first: part of one would not be recognised. Each part by itself: after
    # `invalid_api_key: `, the message's first word would pass for the key.
    hidden = ": ".join(asked.hide_secrets(part.replace("\x00", "")) for part in parts)
    whole = " ".join(hidden.split())
    return whole if len(whole) <= LONGEST_TEXT else f"{whole[: LONGEST_TEXT - 1]}…"


def _billed(error: Json, reason: FailureReason, status: int, *, is_accepted: bool) -> Billed:
    """Providers do not bill rejected requests, except Azure for prompts it filtered. A timed-out
    request has been worked on, a gateway cannot report what the model behind it did, and an answer
    that began with a success status is billed as far as it went.
    """
    is_lost = status in GATEWAY_STATUSES and not error.is_object
    is_begun = is_accepted and (status < 400 or status >= 500)
    if reason is FailureReason.TIMEOUT or is_lost or is_begun:
        return Billed.UNKNOWN
    return Billed.PROMPT if reason is FailureReason.CONTENT_FILTER else Billed.NOTHING


def request_id(headers: Mapping[str, str]) -> str | None:
    for name in REQUEST_ID_HEADERS:
        value = headers.get(name)
        if value:
            return printable_id(value)
    return None


def printable_id(given: str | None) -> str | None:
    """An id from a provider, unless it has characters that no id has."""
    return given[:200] if given and given.isprintable() else None


def _words(error: Json) -> str:
    parts = [
        error.text_of("code"),
        error.text_of("type"),
        error.text_of("status"),
        error.text_of("message"),
    ]
    return " ".join(part for part in [error.text, *parts] if part).lower()


def _reason(error: Json, status: int) -> FailureReason:
    words = _words(error)
    # The text of a 5xx describes the server, not the request.
    if status < 500:
        for reason, clues in CLUES:
            if any(clue in words for clue in clues):
                return reason
        if "model" in words and ("not found" in words or "does not exist" in words):
            return FailureReason.MODEL_NOT_FOUND
    if status == 404 and "model" in words:
        return FailureReason.MODEL_NOT_FOUND
    return STATUS_REASONS.get(status, FailureReason.PROVIDER)


def _is_retryable(reason: FailureReason, error: Json, status: int) -> bool:
    if reason is not FailureReason.PROVIDER:
        return reason in RETRYABLE
    if status >= 500:
        return True
    words = _words(error)
    return any(clue in words for clue in ("server", "internal", "overloaded", "unavailable"))


def _explain(
    asked: RequestContext, reason: FailureReason, error: Json, status: int, wait: float | None
) -> str:
    if reason is FailureReason.RATE_LIMIT and wait is not None:
        return f"{sentence(asked, reason)} It asks to wait {wait:.0f} s."
    if reason is not FailureReason.PROVIDER:
        return sentence(asked, reason)
    return _explain_status(asked.service, error, status)


def _explain_status(service: str, error: Json, status: int) -> str:
    parameter = error.text_of("param")
    if status >= 500:
        said = f"failed with an error of its own (HTTP {status}). Try again later."
    elif status >= 400 and parameter in PARAMETER_NAMES:
        said = (
            f"refused the parameter {parameter}. Leave it out, "
            "or mark the model as not accepting it."
        )
    elif status in {404, 405}:
        said = "has nothing at this address. Check the address of the credential."
    elif status >= 400:
        said = f"refused the request (HTTP {status}). Check the model's parameters."
    elif status >= 300:
        said = "redirects to another address. Enter the final address instead."
    else:
        said = "answered with an error. Try again later."
    return f"{service} {said}"
