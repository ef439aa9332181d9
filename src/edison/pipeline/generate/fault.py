"""Why a request to a provider has no answer, apart from the client, which is slow to import."""

from enum import StrEnum


class Fault(StrEnum):
    REFUSED = "refused"
    DNS = "dns"
    CONNECT = "connect"
    CONNECT_TIMEOUT = "connect_timeout"
    TLS = "tls"
    TIMEOUT = "timeout"
    BROKEN = "broken"
    TOO_LARGE = "too_large"


class OutboundFailed(Exception):
    """There is no (whole) answer. The text is a sentence for users and names the host at most."""

    def __init__(self, fault: Fault, message: str) -> None:
        self.fault = fault
        super().__init__(message)
