"""The same desk as that of runs."""

from tests.slices.runs.conftest import desk, server, settings, working

__all__ = ["desk", "server", "settings", "working"]
