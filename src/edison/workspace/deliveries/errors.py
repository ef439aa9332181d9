"""Errors of destinations and deliveries."""

from edison.kit.errors import Conflict


class DuplicateDestination(Conflict):
    code = "DUPLICATE_NAME"

    def __init__(self) -> None:
        super().__init__("Another destination of this project has this name.", path="name")


class TooManyDestinations(Conflict):
    code = "TOO_MANY_DESTINATIONS"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A project has at most {limit} destinations. Delete one first.")


class NotSigned(Conflict):
    code = "NOT_SIGNED"

    def __init__(self, title: str) -> None:
        super().__init__(f"Messages by {title} are not signed: there is no secret to rotate.")


class DestinationOff(Conflict):
    code = "DESTINATION_OFF"

    def __init__(self) -> None:
        super().__init__("This destination is off. Enable it before you send again.")


class AttemptInProgress(Conflict):
    code = "ATTEMPT_IN_PROGRESS"

    def __init__(self) -> None:
        super().__init__("An attempt is in progress. Try again when it has ended.")


class AddressUnreadable(Exception):
    """The address or secret was sealed with another key or for another target."""

    def __init__(self) -> None:
        super().__init__("The stored address cannot be decrypted. Enter it again.")
