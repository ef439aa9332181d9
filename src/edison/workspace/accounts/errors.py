"""Errors that clients of the sign-in endpoints distinguish."""

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


class RegistrationClosed(Forbidden):
    code = "REGISTRATION_CLOSED"

    def __init__(self) -> None:
        super().__init__("Registration is by invitation only. Ask a project admin for a link.")


class LookAlike(Conflict):
    """Another account has an address that looks like this one."""

    code = "EMAIL_LOOKS_LIKE_ANOTHER"

    def __init__(self) -> None:
        super().__init__(
            "This address looks like that of another account. Check its letters.", path="email"
        )


class ConfirmationExpired(Conflict):
    code = "CONFIRMATION_EXPIRED"

    def __init__(self) -> None:
        super().__init__("This link was already used or is too old. Sign in and ask for a new one.")


class PasswordNeeded(Conflict):
    """The link was opened by a browser that is not signed in to the account."""

    code = "PASSWORD_NEEDED"

    def __init__(self) -> None:
        super().__init__(
            "You are not signed in to this account here. Choose a password to take it over.",
            path="password",
        )


class ResetExpired(Conflict):
    code = "RESET_EXPIRED"

    def __init__(self) -> None:
        super().__init__("This link was already used or is too old. Ask for a new one.")


class MailUnavailable(Conflict):
    """`help` says what the operator can do instead."""

    code = "MAIL_UNAVAILABLE"

    def __init__(self, help: str) -> None:
        super().__init__(f"This server sends no mail. {help}")
