"""The same lab as that of experiments."""

from tests.slices.experiments.conftest import lab, server, settings
from tests.slices.runs.conftest import working

__all__ = ["lab", "server", "settings", "working"]
