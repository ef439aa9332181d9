"""Whether tests are to take their time: `make torture` sets EDISON_TEST_THOROUGH."""

import os

IS_THOROUGH = os.environ.get("EDISON_TEST_THOROUGH", "") not in ("", "0")


def rounds(usual: int, *, thorough: int) -> int:
    """How often to try something: a little in everyday runs, more when there is time."""
    return thorough if IS_THOROUGH else usual
