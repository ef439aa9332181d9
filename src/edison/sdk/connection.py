"""The typed client of the HTTP API: `connect().runs.list()`."""

from typing import TYPE_CHECKING

from edison.sdk.client import Client, default_client

if TYPE_CHECKING:
    from edison.sdk.api import Edison


def connect(
    url: str | None = None, *, token: str | None = None, project: str | None = None
) -> "Edison":
    """All of the API, with types. Without arguments it uses the client of `configure`, or else the
    variables `EDISON_URL`, `EDISON_TOKEN` and `EDISON_PROJECT`.
    """
    try:
        from edison.sdk.api import Edison
    except ModuleNotFoundError as missing:
        if missing.name != "edison.sdk.api":
            raise
        raise ImportError("The typed client is not generated. Run `make client`.") from None

    if url is None and token is None and project is None:
        return Edison(default_client())
    return Edison(Client(url, token=token, project=project))
