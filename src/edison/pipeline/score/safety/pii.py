"""Finds personal data in a text: by patterns, by check digits, and by libraries for phone numbers
and national ids. Names and street addresses are detected by their context.
"""

import ipaddress
import re
from collections.abc import Callable, Iterator
from enum import StrEnum

from edison.kit.lazy_dataclasses import dataclass
from edison.pipeline.score.safety.findings import SafetyFinding, without_overlaps
from edison.pipeline.score.safety.fold import fold
from edison.pipeline.score.safety.numbers import find_cards, find_ibans, find_national_ids
from edison.pipeline.score.safety.secrets import find_secrets


class PiiKind(StrEnum):
    """Kinds of personal data."""

    # Stored, and written in place of redacted text; never rename. Forms show the text above.
    SECRET = "secret"  # noqa: S105 - the name of a kind
    EMAIL = "email"
    IBAN = "iban"
    CARD = "card"
    NATIONAL_ID = "national_id"
    IP_ADDRESS = "ip_address"
    PHONE = "phone"
    PERSON = "person"
    ADDRESS = "address"


NAMES = {
    PiiKind.SECRET: "a key or password",
    PiiKind.EMAIL: "an e-mail address",
    PiiKind.IBAN: "an IBAN",
    PiiKind.CARD: "a card number",
    PiiKind.NATIONAL_ID: "a national id",
    PiiKind.IP_ADDRESS: "an IP address",
    PiiKind.PHONE: "a phone number",
    PiiKind.PERSON: "a person's name",
    PiiKind.ADDRESS: "a street address",
}
# Kinds with few false positives.
SURE_KINDS = (
    PiiKind.SECRET,
    PiiKind.EMAIL,
    PiiKind.IBAN,
    PiiKind.CARD,
    PiiKind.NATIONAL_ID,
    PiiKind.IP_ADDRESS,
    PiiKind.PHONE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiOptions:
    """What to search for. `region` is the default region of phone numbers; without it only numbers
    with a country code are found. `allowed` lists exceptions: complete findings, or `@domain` for
    e-mail addresses.
    """

    kinds: tuple[PiiKind, ...] = SURE_KINDS
    region: str | None = None
    countries: tuple[str, ...] = ("US",)
    allowed: tuple[str, ...] = ()


Finder = Callable[[str, PiiOptions], Iterator[tuple[int, int]]]


def find_pii(text: str, wanted: PiiOptions) -> list[SafetyFinding]:
    """Returns the findings in text order, without overlaps. Linear in the length of the text."""
    folded = fold(text)
    allowed = {each.strip().casefold() for each in wanted.allowed}
    found = (
        SafetyFinding(kind=kind, name=NAMES[kind], start=origin[0], end=origin[1])
        # More reliable kinds first: a card number is not also a phone number.
        for kind in PiiKind
        if kind in wanted.kinds and _HINTS[kind].search(folded.text)
        for start, end in _FINDERS[kind](folded.text, wanted)
        if not _is_allowed(folded.text[start:end], allowed)
        for origin in (folded.origin(start, end),)
    )
    return without_overlaps(found)


def _is_allowed(found: str, allowed: set[str]) -> bool:
    whole = found.casefold()
    return whole in allowed or f"@{whole.rpartition('@')[2]}" in allowed


_LETTER = r"[^\W\d_]"
_CAPITALISED = rf"(?:(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž]){_LETTER}{{1,30}}|(?-i:[A-Z])\.)"
_FULL_NAME = rf"{_CAPITALISED}(?:[ '-]{_CAPITALISED}){{1,3}}"
_ANY_NAME = rf"{_CAPITALISED}(?:[ '-]{_CAPITALISED}){{0,3}}"
_PATTERNS = {
    PiiKind.EMAIL: re.compile(
        r"(?<![\w.%+-])([\w.%+-]{1,64}(?:@| ?[\[(]at[\])] ?)"
        r"[\w-]{1,63}(?:(?:\.| ?[\[(]dot[\])] ?)[\w-]{1,63}){0,8}(?:\.| ?[\[(]dot[\])] ?)"
        r"[^\W\d_]{2,24})(?![\w@])",
        re.IGNORECASE,
    ),
    # After phrases that introduce a name, in English, German, French and Spanish.
    PiiKind.PERSON: re.compile(
        rf"(?<!\w)(?:(?:mr|mrs|ms|dr|prof|herr|frau|monsieur|madame|señora?)\b\.?|my name is|"
        rf"i am called|name:|patient:|customer:|signed,|mein name ist|ich heiße|je m'appelle|"
        rf"me llamo|dear|(?:kind|best) regards,)\s{{1,3}}({_FULL_NAME}|{_ANY_NAME}(?=[,.!\n]|$))",
        re.IGNORECASE,
    ),
    PiiKind.ADDRESS: re.compile(
        rf"(?<!\w)(\d{{1,5}}[a-z]? (?:{_CAPITALISED} ){{1,3}}(?:street|st|avenue|ave|road|rd|"
        rf"lane|ln|drive|dr|boulevard|blvd|court|ct|way|square|terrace)\b\.?|"
        rf"(?-i:[A-ZÄÖÜ])[\w-]{{1,40}}(?:straße|strasse|str\.|weg|gasse|allee|platz) "
        rf"\d{{1,4}}[a-z]?)(?!\w)",
        re.IGNORECASE,
    ),
}

# Quick pre-check of a text before the full search for a kind.
_ANYTHING, _DIGIT = re.compile(""), re.compile(r"\d")
_HINTS = {
    PiiKind.SECRET: _ANYTHING,
    PiiKind.EMAIL: re.compile(r"@|[\[(]at[\])]", re.IGNORECASE),
    PiiKind.IBAN: re.compile(r"[A-Za-z]{2}\d\d"),
    PiiKind.CARD: re.compile(r"\d(?:[ -]?\d){12}"),
    PiiKind.NATIONAL_ID: _DIGIT,
    PiiKind.IP_ADDRESS: re.compile(r"\d\.\d|:[0-9A-Fa-f]{0,4}:"),
    PiiKind.PHONE: _DIGIT,
    PiiKind.PERSON: _ANYTHING,
    PiiKind.ADDRESS: _DIGIT,
}

_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w)(?!\.\d)")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")


def _find_addresses_of_machines(text: str) -> Iterator[tuple[int, int]]:
    """Public addresses only: 127.0.0.1 and private networks identify no person."""
    for pattern in (_IPV4, _IPV6):
        for match in pattern.finditer(text):
            try:
                is_public = ipaddress.ip_address(match.group()).is_global
            except ValueError:
                continue
            if is_public:
                yield match.span()


# Seven digits or more with common separators; the library is slow on long texts.
_DIALLED = re.compile(r"[+(]{0,2}\d(?:[ ().\-/]{0,3}\d){6,19}")


def _find_phones(text: str, region: str | None) -> Iterator[tuple[int, int]]:
    from phonenumbers import Leniency, PhoneNumberMatcher

    for match in _DIALLED.finditer(text):
        # The neighbouring characters let the library reject parts of longer numbers.
        first, last = max(0, match.start() - 2), match.end() + 2
        window = text[first:last]
        for found in PhoneNumberMatcher(window, region, leniency=Leniency.VALID):
            yield first + found.start, first + found.end


def _matches(kind: PiiKind) -> Finder:
    def find(text: str, _wanted: PiiOptions) -> Iterator[tuple[int, int]]:
        return (match.span(1) for match in _PATTERNS[kind].finditer(text))

    return find


_FINDERS: dict[PiiKind, Finder] = {
    PiiKind.SECRET: lambda text, _: find_secrets(text),
    PiiKind.EMAIL: _matches(PiiKind.EMAIL),
    PiiKind.IBAN: lambda text, _: find_ibans(text),
    PiiKind.CARD: lambda text, _: find_cards(text),
    PiiKind.NATIONAL_ID: lambda text, wanted: find_national_ids(text, wanted.countries),
    PiiKind.IP_ADDRESS: lambda text, _: _find_addresses_of_machines(text),
    PiiKind.PHONE: lambda text, wanted: _find_phones(text, wanted.region),
    PiiKind.PERSON: _matches(PiiKind.PERSON),
    PiiKind.ADDRESS: _matches(PiiKind.ADDRESS),
}
