"""The ways a sign-in through a provider can fail."""

from enum import StrEnum


class Failure(StrEnum):
    """Why there was no sign-in; the login page turns the code into a sentence."""

    DENIED = "oidc_denied"
    STATE = "oidc_state"
    UNAVAILABLE = "oidc_unavailable"
    REJECTED = "oidc_rejected"
    EMAIL_MISSING = "oidc_email_missing"
    EMAIL_UNVERIFIED = "oidc_email_unverified"
    REGISTRATION_CLOSED = "registration_closed"


class SignInFailed(Exception):
    """`reason` is for the log; the browser only gets the code."""

    def __init__(self, failure: Failure, reason: str) -> None:
        super().__init__(reason)
        self.failure = failure
        self.reason = reason
