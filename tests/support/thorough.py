"""Whether tests run at length: `make torture` sets EDISON_TEST_THOROUGH."""

import os

IS_THOROUGH = os.environ.get("EDISON_TEST_THOROUGH", "") not in ("", "0")


def rounds(usual: int, *, thorough: int) -> int:
    """Number of repetitions: few in everyday runs, more in thorough ones."""
    return thorough if IS_THOROUGH else usual
