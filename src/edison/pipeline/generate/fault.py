"""Errors of outgoing requests, in their own module because the client is slow to import."""

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
    """There is no complete answer. The message is a sentence for users and names at most
    the host.
    """

    def __init__(self, fault: Fault, message: str) -> None:
        self.fault = fault
        super().__init__(message)
