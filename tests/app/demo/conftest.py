"""A worker that executes what the demo project starts."""

from tests.slices.runs.conftest import working

__all__ = ["working"]
