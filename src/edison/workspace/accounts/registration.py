"""Registration policy: `EDISON_REGISTRATION`.

`auto`, the default, is open on the user's own machine and for the first account, and by invitation
otherwise. Whether a request is local depends on the settings and on proxy headers: a shared server
is bound to another address, has a public URL, trusts a proxy, or receives forwarded requests.
"""

from fastapi import Request

from edison.settings import Settings
from edison.workspace.accounts.access import is_loopback
from edison.workspace.accounts.types import RegistrationMode


def usual_mode(settings: Settings) -> RegistrationMode:
    """The mode for requests that no proxy forwarded; logged at start."""
    if settings.registration != "auto":
        return RegistrationMode(settings.registration)
    is_own_machine = (
        (is_loopback(settings.host) or settings.host == "localhost")
        and settings.public_url is None
        and not settings.trusted_proxies
    )
    return RegistrationMode.OPEN if is_own_machine else RegistrationMode.FIRST_ONLY


def mode_for(request: Request, settings: Settings) -> RegistrationMode:
    usual = usual_mode(settings)
    if settings.registration == "auto" and usual is RegistrationMode.OPEN and _is_remote(request):
        return RegistrationMode.FIRST_ONLY
    return usual


def _is_remote(request: Request) -> bool:
    """Forwarded by a proxy, or received from another machine by a server that was not started by
    `edison serve`.
    """
    names = request.headers.keys()
    is_forwarded = any(name == "forwarded" or name.startswith("x-forwarded-") for name in names)
    return is_forwarded or not is_loopback(request.client.host if request.client else None)
