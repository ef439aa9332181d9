"""Who may create an account: `EDISON_REGISTRATION`.

`auto`, the default, is open on one's own machine and for the very first account, and by invitation
everywhere else. Whether a request comes from the own machine is decided by the settings and by
what a proxy adds to a request: a server that others reach is bound to another address, has a public
URL, trusts a proxy, or gets forwarded requests.
"""

from enum import StrEnum

from fastapi import Request

from edison.settings import Settings
from edison.workspace.accounts.access import is_loopback


class RegistrationMode(StrEnum):
    """Who may register right now."""

    OPEN = "open"
    FIRST_ONLY = "first_only"
    INVITED = "invited"


def usual_mode(settings: Settings) -> RegistrationMode:
    """What holds for requests that no proxy has forwarded; written into the log at start."""
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
    if (
        settings.registration == "auto"
        and usual is RegistrationMode.OPEN
        and _comes_from_afar(request)
    ):
        return RegistrationMode.FIRST_ONLY
    return usual


def _comes_from_afar(request: Request) -> bool:
    """A proxy passed it on, or it came over the network to a server that was started otherwise
    than by `edison serve`.
    """
    names = request.headers.keys()
    is_forwarded = any(name == "forwarded" or name.startswith("x-forwarded-") for name in names)
    return is_forwarded or not is_loopback(request.client.host if request.client else None)
