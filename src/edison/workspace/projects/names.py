"""Rules for project names, and slugs for their URLs."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count
from uuid import UUID

LONGEST_NAME = 100
LONGEST_SLUG = 50
SLUG_OF_NOTHING = "project"


def check_name(name: str) -> str:
    """The trimmed name. Raises ValueError with a message for the user."""
    name = name.strip()
    if not name:
        raise ValueError("Give the project a name.")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"Use at most {LONGEST_NAME} characters.")
    if not all(_may_be_in_name(character) for character in name):
        raise ValueError("Use only letters, digits, spaces, hyphens and underscores.")
    return name


def _may_be_in_name(character: str) -> bool:
    """Letters, combining marks, and digits of any script."""
    category = unicodedata.category(character)
    return character in " -_" or category[0] in "LM" or category == "Nd"


def slug_candidates(name: str) -> Iterator[str]:
    """The slug of a name, then the same with -1, -2, … for when it is taken.

    Never a valid UUID: URLs accept either, and must identify one project.
    """
    base = _fold(name)
    for number in count():
        suffix = f"-{number}" if number else ""
        candidate = base[: LONGEST_SLUG - len(suffix)].rstrip("-") + suffix
        if not _is_uuid(candidate):
            yield candidate


def _fold(name: str) -> str:
    """ASCII kebab-case: accents are stripped, characters of other scripts are dropped."""
    plain = unicodedata.normalize("NFKD", name.casefold()).lower()
    kept = re.sub(r"[^a-z0-9\s-]", "", plain)
    return re.sub(r"[\s-]+", "-", kept).strip("-")[:LONGEST_SLUG] or SLUG_OF_NOTHING


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
