"""Refusals that the sign-in screens must tell apart."""

from edison.kit.errors import Conflict, Forbidden, TooMany, Unauthenticated


class EmailTaken(Conflict):
    code = "EMAIL_TAKEN"

    def __init__(self) -> None:
        super().__init__("This email is already in use.", path="email")


class InvalidCredentials(Unauthenticated):
    """The same for an unknown email and a wrong password."""

    code = "INVALID_CREDENTIALS"

    def __init__(self) -> None:
        super().__init__("Invalid email or password.")


class AccountLocked(TooMany):
    code = "ACCOUNT_LOCKED"


class LinkExpired(Conflict):
    code = "LINK_EXPIRED"

    def __init__(self) -> None:
        super().__init__(
            "This sign-in link was already used or is too old. Start Edison again for a new one."
        )


class WrongCsrfToken(Forbidden):
    code = "INVALID_CSRF_TOKEN"

    def __init__(self) -> None:
        super().__init__("This request did not come from Edison's own pages. Reload and try again.")
