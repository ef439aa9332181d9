"""Errors of imports from files."""

from edison.exchange.formats import FORMATS
from edison.kit.errors import FieldProblem, Invalid


class ImportRefused(Invalid):
    """The file cannot be imported, and nothing changed."""

    def __init__(self, message: str, *, code: str, field: str = "file") -> None:
        super().__init__(FieldProblem(field=field, message=message, code=code))


class UnknownShape(ImportRefused):
    def __init__(self) -> None:
        known = ", ".join(each.title for each in FORMATS.values())
        super().__init__(
            f"The format of the file is not known. Known are: {known}. Other tables of cases can "
            "be imported on the page of a dataset.",
            code="unknown_format",
        )
