"""What people tell when they ask for help: the version and the kind of database."""

from typing import Literal

from edison import __version__
from edison.api.routing import api_router
from edison.api.schema import Schema
from edison.api.session import CurrentDatabase
from edison.workspace.accounts.access import SignedIn

router = api_router("/about", tag="operation")


class AboutRead(Schema):
    version: str
    database: Literal["sqlite", "postgresql"]


@router.get("")
async def read_about(caller: SignedIn, database: CurrentDatabase) -> AboutRead:
    """Returns the version of Edison and the kind of its database."""
    name = database.engine.dialect.name
    return AboutRead(version=__version__, database="sqlite" if name == "sqlite" else "postgresql")
