"""Errors that clients of the two-factor endpoints distinguish."""

from edison.kit.errors import Conflict, Unauthenticated


class WrongCode(Unauthenticated):
    """At sign-in: the code is wrong, was used before, or is too old."""

    code = "WRONG_CODE"

    def __init__(self) -> None:
        super().__init__(
            "This code is wrong or was used already. Wait for the next one.", path="code"
        )


class ChallengeExpired(Unauthenticated):
    code = "CHALLENGE_EXPIRED"

    def __init__(self) -> None:
        super().__init__("Signing in took too long. Enter your password again.")


class AlreadyEnrolled(Conflict):
    code = "TWO_FACTOR_ENABLED"

    def __init__(self) -> None:
        super().__init__("Two-factor authentication is on already. Turn it off first.")


class NotEnrolled(Conflict):
    code = "TWO_FACTOR_DISABLED"

    def __init__(self) -> None:
        super().__init__("Two-factor authentication is not on. Start setting it up first.")
