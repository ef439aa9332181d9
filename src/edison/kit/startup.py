"""Loading all modules of a server or worker."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import BaseModel

from edison.kit.memory import collecting_nothing


@contextmanager
def loading_modules() -> Iterator[None]:
    """Collects no garbage meanwhile, and lets models of libraries build their validators at first
    use, as schemas of this package do: those of FastAPI took a twentieth of a start.
    """
    BaseModel.model_config["defer_build"] = True
    try:
        with collecting_nothing():
            yield
    finally:
        del BaseModel.model_config["defer_build"]
