"""What a request for help should name: the version and the kind of database."""

from typing import Literal

from edison import __version__
from edison.api.routing import api_router
from edison.api.schema import Schema
from edison.api.session import Session
from edison.workspace.accounts.access import SignedIn

router = api_router("/about", tag="operation")


class AboutRead(Schema):
    version: str
    database: Literal["sqlite", "postgresql"]


@router.get("")
async def read_about(caller: SignedIn, session: Session) -> AboutRead:
    """Returns the version of Edison and the kind of its database."""
    name = session.get_bind().dialect.name
    return AboutRead(version=__version__, database="sqlite" if name == "sqlite" else "postgresql")
