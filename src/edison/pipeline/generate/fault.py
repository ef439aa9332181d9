"""Errors of outgoing requests, in their own module because the client is slow to import."""

from enum import StrEnum


class OutboundFault(StrEnum):
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

    def __init__(self, fault: OutboundFault, message: str) -> None:
        self.fault = fault
        super().__init__(message)


_BEFORE = {
    OutboundFault.REFUSED: "The request to ",
    OutboundFault.DNS: "The name ",
    OutboundFault.TLS: "No secure connection to ",
}
_AFTER = {
    OutboundFault.REFUSED: "cannot be sent: the address or a header is not valid.",
    OutboundFault.DNS: "cannot be found. Check the address.",
    OutboundFault.CONNECT: (
        "cannot be reached. Check the address and whether the server is running."
    ),
    OutboundFault.CONNECT_TIMEOUT: "does not accept connections in time. Check the address.",
    OutboundFault.TLS: "is possible: its certificate or protocol is not accepted.",
    OutboundFault.TIMEOUT: "did not answer in time.",
    OutboundFault.BROKEN: "broke off the connection in the middle.",
}


def outbound_failure(fault: OutboundFault, host: str) -> OutboundFailed:
    """The failure in the usual words for its kind."""
    return OutboundFailed(fault, f"{_BEFORE.get(fault, '')}{host} {_AFTER[fault]}")


def too_large(host: str, max_bytes: int) -> OutboundFailed:
    sentence = f"The answer of {host} is larger than {max_bytes:,} bytes."
    return OutboundFailed(OutboundFault.TOO_LARGE, sentence)
