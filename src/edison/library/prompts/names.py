"""Rules for prompt names. Names are parts of URLs: programs fetch prompts by them."""

from edison.api.schema import without_control_characters
from edison.workspace.resources.models import LONGEST_NAME


def check_name(name: str) -> str:
    """The trimmed name. Raises ValueError with a message for the user."""
    name = without_control_characters(name).strip()
    if not name:
        raise ValueError("Give the prompt a name.")
    if len(name) > LONGEST_NAME:
        raise ValueError(f"Use at most {LONGEST_NAME} characters.")
    if any(character in name for character in "/\\\r\n\t") or name in {".", ".."}:
        raise ValueError("A name is one line without slashes.")
    return name
