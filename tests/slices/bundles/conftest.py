"""A laboratory with an experiment, as for the tests of experiments, and projects to import into."""

from tests.slices.experiments.conftest import lab, server, settings, working

__all__ = ["lab", "server", "settings", "working"]
