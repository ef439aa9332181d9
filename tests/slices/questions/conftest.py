"""A desk with two judges of questions behind a local server."""

from tests.slices.runs.conftest import desk, server, settings, working

__all__ = ["desk", "server", "settings", "working"]
