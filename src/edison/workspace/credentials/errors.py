"""Errors of saving and using credentials."""

from typing import ClassVar

from edison.kit.errors import Conflict
from edison.pipeline.generate.outcome import CallFailed, FailureReason


class DuplicateLabel(Conflict):
    code = "DUPLICATE_LABEL"

    def __init__(self) -> None:
        super().__init__("Another credential of this project has this label.", path="label")


class TestFailed(Conflict):
    """The provider refused the credential. `code` names the kind of reason."""

    __test__ = False
    CODES: ClassVar = {
        FailureReason.INVALID_KEY: "INVALID_KEY",
        FailureReason.QUOTA: "QUOTA_EXCEEDED",
        FailureReason.RATE_LIMIT: "QUOTA_EXCEEDED",
        FailureReason.NETWORK: "NETWORK_ERROR",
        FailureReason.TIMEOUT: "NETWORK_ERROR",
    }

    def __init__(self, failure: CallFailed) -> None:
        super().__init__(failure.message, details={"reason": failure.reason})
        self.code = self.CODES.get(failure.reason, "PROVIDER_ERROR")  # type: ignore[misc]


class MissingSecret(Exception):
    """A secret is not available; the message says why and what to do."""

    def failure(self) -> CallFailed:
        return CallFailed(
            reason=FailureReason.INVALID_KEY,
            message=str(self),
            is_retryable=False,
            is_unsent=True,
        )
