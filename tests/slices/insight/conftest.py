"""A desk whose second model is better and more expensive than the first."""

from tests.slices.runs.conftest import desk, server, settings, working

__all__ = ["desk", "server", "settings", "working"]
