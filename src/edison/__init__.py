"""Edison: a self-hosted prompt-engineering workbench."""

# The build takes the package's version from here.
__version__ = "0.1.0"
