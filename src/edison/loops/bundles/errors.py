"""Errors of reading and importing bundles."""

from collections.abc import Sequence

from pydantic import ValidationError

from edison.kit.errors import Conflict, FieldProblem, Invalid


class BundleRefused(Invalid):
    """The file is no bundle, or a part of it is wrong. `part` is the path in the file, with the
    line if there is one.
    """

    def __init__(self, part: str, message: str, *, code: str = "bad_part") -> None:
        super().__init__(FieldProblem(field=part, message=message, code=code))


def refusal(wrong: ValidationError, place: str) -> BundleRefused:
    """The first problem that a schema found in a part."""
    found = wrong.errors(include_input=False, include_context=False)[0]
    name = ".".join(str(each) for each in found["loc"])
    message = found["msg"].removeprefix("Value error, ")
    return BundleRefused(place, f"{name}: {message}." if name else f"{message}.", code="bad_value")


class NamesTaken(Conflict):
    """`names` holds what exists already, such as `prompt “Support reply”`."""

    code = "NAMES_TAKEN"

    def __init__(self, names: Sequence[str]) -> None:
        shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(
            f"The project already has {shown}. Choose to skip or to rename them.",
            details={"names": list(names)},
            path="existing",
        )


class NothingToExport(Conflict):
    code = "NOTHING_TO_EXPORT"
