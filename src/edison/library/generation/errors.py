"""Errors of generations and drafts."""

from edison.kit.errors import Conflict


class GenerationNotAllowed(Conflict):
    def __init__(self) -> None:
        super().__init__("This project's settings do not allow generated cases.")


class NotEnded(Conflict):
    def __init__(self) -> None:
        super().__init__("This generation is still running. Cancel it, or wait for its end.")


class GenerationEnded(Conflict):
    def __init__(self) -> None:
        super().__init__("This generation is over.")


class NotResumable(Conflict):
    pass


class AlreadyAccepted(Conflict):
    def __init__(self) -> None:
        super().__init__("Drafts can be added once, and these have been.")
