"""Which network addresses Edison may connect to on behalf of a user (protection against SSRF).

A user who can enter a URL must not reach, through Edison, what only Edison's machine can reach:
above all cloud metadata services, which hand out the machine's own credentials.

`check_url` guards every outgoing request to a user's address. It parses the host with one strict
pattern, so that no other parser can read a different host from the same text: ASCII only, no user
name, no percent-encoding, no backslash. `check_address` is applied to every resolved address before
a socket is opened, and to the peer of the connected socket.
"""

import re
import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from edison.kit.host_patterns import matches_host
from edison.kit.lazy_dataclasses import dataclass

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
        "metadata.azure.internal",
        "metadata.tencentyun.com",
        "metadata.platformequinix.com",
        "rancher-metadata",
    }
)
NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
# IPv4 in the last 32 bits: IPv4-compatible (RFC 4291) and IPv4-translated (RFC 2765).
EMBEDS_IPV4 = (ip_network("::/96"), ip_network("::ffff:0:0:0/96"), *NAT64)
# ISATAP marks its interface ids with 0000:5efe or 0200:5efe before the IPv4 address (RFC 5214).
ISATAP = frozenset({0x00005EFE, 0x02005EFE})

_URL = re.compile(r"(?P<scheme>https?)://(?P<authority>[^/?#]*)", re.IGNORECASE | re.ASCII)
_AUTHORITY = re.compile(
    r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?))(?::(?P<port>[0-9]{1,5}))?",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE | re.ASCII)
LONGEST_HOST = 253


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPolicy:
    """Which addresses this installation allows beyond the public internet."""

    allow_loopback: bool = False
    allow_private: bool = False
    only_hosts: tuple[tuple[str, ...], ...] = ()
    """The host must match a pattern in each of these lists. Empty: no restriction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlTarget:
    """Destination of a URL. `host` is in lower case, IPv6 addresses without brackets."""

    host: str
    is_encrypted: bool


class AddressRefused(OSError):
    """Edison does not connect to this address. The message is a sentence for users."""


def read_target(url: str) -> UrlTarget:
    """Parses the destination of `url` so that every parser agrees. Raises AddressRefused."""
    found = _URL.match(url)
    if found is None or not found["authority"]:
        raise AddressRefused("The address must begin with https:// or http:// and name a server.")
    authority = found["authority"]
    if "@" in authority:
        raise AddressRefused("The address must not contain a name or password.")
    if not authority.isascii():
        raise AddressRefused(
            "The server's name must be in ASCII letters; write other alphabets as xn--…."
        )
    parts = _AUTHORITY.fullmatch(authority)
    host = (parts["ipv6"] or parts["name"]).lower() if parts else ""
    if parts is None or len(host) > LONGEST_HOST or int(parts["port"] or 0) > 65_535:
        raise AddressRefused("The address does not name a server in the usual way.")
    return UrlTarget(host=host, is_encrypted=len(found["scheme"]) == len("https"))


def check_url(url: str, policy: NetworkPolicy) -> UrlTarget:
    """Raises AddressRefused when `policy` does not allow the URL. The addresses of a host name are
    checked when it is resolved.
    """
    target = read_target(url)
    check_host(target, policy)
    return target


@lru_cache(maxsize=1024)
def check_host(target: UrlTarget, policy: NetworkPolicy) -> None:
    """Raises AddressRefused. Cached, because the same few hosts are called repeatedly."""
    host = target.host
    check_name(host)
    for patterns in policy.only_hosts:
        if not matches_host(host, patterns):
            raise AddressRefused(
                f"The secret of this credential may be sent only to {' or '.join(patterns)}."
            )
    if ":" in host or _ends_in_number(host):
        try:
            check_address(host, policy, is_encrypted=target.is_encrypted)
        except ValueError as error:
            raise AddressRefused(f"{host} is not a valid address.") from error


def check_name(host: str) -> None:
    """Raises AddressRefused for metadata host names and unusual spellings of IPv4 addresses."""
    if host.rstrip(".").lower() in METADATA_NAMES:
        raise AddressRefused(f"{host} is a cloud metadata service, which Edison never calls.")
    if _is_odd_spelling(host):
        raise AddressRefused(f"{host} is an unusual way to write an address; write it as a.b.c.d.")


@lru_cache(maxsize=1024)
def check_address(address: str, policy: NetworkPolicy, *, is_encrypted: bool) -> None:
    """Raises AddressRefused when the policy forbids the address, or forbids it without
    encryption.
    """
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
    elif not address.is_global or (isinstance(address, IPv6Address) and address.is_site_local):
        if not policy.allow_private:
            raise AddressRefused(
                f"{address} is in a private network; the settings forbid calling it."
            )
    elif not is_encrypted:
        raise AddressRefused("Addresses on the internet must begin with https://.")


def _is_reserved(address: Address) -> bool:
    # ipaddress counts most of the unassigned IPv6 space, and NAT64, as reserved; the IPv4 addresses
    # embedded in NAT64 are checked on their own.
    return address.is_reserved and isinstance(address, IPv4Address)


def _embedded(address: Address) -> list[Address]:
    """IPv4 addresses embedded in an IPv6 address."""
    if isinstance(address, IPv4Address):
        return []
    found: list[Address | None] = [address.sixtofour]
    found.extend(address.teredo or ())
    has_ipv4_at_the_end = any(address in network for network in EMBEDS_IPV4) and int(address) > 1
    if has_ipv4_at_the_end or (int(address) >> 32) & 0xFFFFFFFF in ISATAP:
        found.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [each for each in found if each is not None]


def _ends_in_number(host: str) -> bool:
    """Whether the last label is a number. Browsers and C libraries parse such a host as an IPv4
    address; no host name on the internet ends in one.
    """
    return bool(_NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]))


def _is_odd_spelling(host: str) -> bool:
    """Whether any library would parse `host` as an IPv4 address although it is not a.b.c.d."""
    if ":" in host:
        return False
    try:
        packed = socket.inet_aton(host)
    except (OSError, UnicodeError):
        return _ends_in_number(host)
    return host != socket.inet_ntoa(packed)
