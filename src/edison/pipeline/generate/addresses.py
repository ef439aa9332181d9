"""Which network addresses Edison may connect to on behalf of a user.

A user who may enter a URL must not reach, through Edison, what only Edison's machine can reach:
above all the metadata services of clouds, which hand out the machine's own credentials.
"""

import socket
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

# Metadata services outside the link-local networks: AWS over IPv6, Alibaba, Azure's wire server,
# Google over IPv6, Oracle.
METADATA = frozenset(
    ip_address(text)
    for text in (
        "fd00:ec2::254",
        "100.100.100.200",
        "168.63.129.16",
        "fd20:ce::254",
        "192.0.0.192",
    )
)
METADATA_NAMES = frozenset(
    {
        "metadata",
        "metadata.google.internal",
        "metadata.goog",
        "instance-data",
        "instance-data.ec2.internal",
    }
)
NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
IPV4_COMPATIBLE = ip_network("::/96")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPolicy:
    """What this installation allows beyond the public internet."""

    allow_loopback: bool = False
    allow_private: bool = False


class AddressRefused(OSError):
    """Edison does not connect there. The text is a sentence for users."""


def check_name(host: str) -> None:
    """Refuse names and spellings that never lead to a model."""
    if host.rstrip(".").lower() in METADATA_NAMES:
        raise AddressRefused(f"{host} is a cloud metadata service, which Edison never calls.")
    if _is_odd_spelling(host):
        raise AddressRefused(f"{host} is an unusual way to write an address; write it as a.b.c.d.")


@lru_cache(maxsize=1024)
def check_address(address: str, policy: NetworkPolicy, *, is_encrypted: bool) -> None:
    """Refuse an address the policy does not allow, or does not allow without encryption."""
    parsed = ip_address(address.split("%", 1)[0])
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    for each in (parsed, *_embedded(parsed)):
        _check_one(each, policy, is_encrypted=is_encrypted)


def _check_one(address: Address, policy: NetworkPolicy, *, is_encrypted: bool) -> None:
    if address.is_link_local or address in METADATA:
        raise AddressRefused(
            f"{address} belongs to a cloud metadata service or a link-local network, "
            "which Edison never calls."
        )
    if address.is_loopback:
        if not policy.allow_loopback:
            raise AddressRefused(
                f"{address} is this machine; the settings do not allow calling it."
            )
    elif address.is_unspecified or address.is_multicast or _is_reserved(address):
        raise AddressRefused(f"{address} is not the address of a server.")
    elif not address.is_global:
        if not policy.allow_private:
            raise AddressRefused(
                f"{address} is in a private network; the settings forbid calling it."
            )
    elif not is_encrypted:
        raise AddressRefused("Addresses on the internet must begin with https://.")


def _is_reserved(address: Address) -> bool:
    # ipaddress counts most of the unassigned IPv6 space, and NAT64, as reserved; what is embedded
    # in the latter is looked at on its own.
    return address.is_reserved and isinstance(address, IPv4Address)


def _embedded(address: Address) -> list[Address]:
    """IPv4 addresses that an IPv6 address leads to."""
    if isinstance(address, IPv4Address):
        return []
    found: list[Address | None] = [address.sixtofour]
    found.extend(address.teredo or ())
    if any(address in network for network in NAT64):
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    if address in IPV4_COMPATIBLE and int(address) > 1:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [each for each in found if each is not None]


def _is_odd_spelling(host: str) -> bool:
    """Whether the C library would read `host` as an IPv4 address although it is not a.b.c.d."""
    try:
        packed = socket.inet_aton(host)
    except (OSError, UnicodeError):
        return False
    return host != socket.inet_ntoa(packed)
