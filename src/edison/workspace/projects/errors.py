"""Errors that clients of the project endpoints distinguish."""

from edison.kit.errors import Conflict, Forbidden


class LastOwner(Conflict):
    code = "LAST_OWNER"

    def __init__(self) -> None:
        super().__init__("A project needs an owner. Make another member OWNER first.")


class InvitationUsed(Conflict):
    code = "INVITATION_USED"

    def __init__(self) -> None:
        super().__init__("This invitation was already used. Ask for a new one.")


class InvitationExpired(Conflict):
    code = "INVITATION_EXPIRED"

    def __init__(self) -> None:
        super().__init__("This invitation has expired. Ask for a new one.")


class InvitationEmailMismatch(Conflict):
    code = "INVITATION_EMAIL_MISMATCH"

    def __init__(self, *, path: str | None = None) -> None:
        super().__init__(
            "This invitation is for another email address. Sign in with that one, or ask for an "
            "invitation to yours.",
            path=path,
        )


class EmailUnverified(Conflict):
    """The account has the invited address, but the address is not verified."""

    code = "EMAIL_UNVERIFIED"

    def __init__(self) -> None:
        super().__init__(
            "This invitation is for an address that you have not confirmed yet. Open the link in "
            "the mail to it, or ask for an invitation link without an address."
        )


class TwoFactorRequired(Forbidden):
    code = "TWO_FACTOR_REQUIRED"

    def __init__(self) -> None:
        super().__init__(
            "This project requires two-factor authentication. Turn it on in your account under "
            "Security, then come back; access tokens work again from then on."
        )


class OwnTwoFactorMissing(Conflict):
    """An owner without a second factor would lock themselves out by requiring it."""

    code = "OWN_TWO_FACTOR_MISSING"

    def __init__(self) -> None:
        super().__init__("Turn on two-factor authentication for your own account first.")
