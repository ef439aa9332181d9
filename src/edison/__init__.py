"""Edison: a self-hosted prompt-engineering workbench."""

from importlib.metadata import version

__version__ = version("edison")
