"""Finds numbers that identify a person or an account. Each must have valid check digits and its
issuer's format.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Literal

_CARD = re.compile(r"(?<![\d.,])(?:\d[ -]?){12,18}\d(?![\d])")
# Prefixes and lengths, as the card networks publish them.
_NETWORKS = (
    (re.compile(r"4"), {13, 16, 19}),
    (re.compile(r"5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720"), {16}),
    (re.compile(r"3[47]"), {15}),
    (re.compile(r"30[0-5]|3[68]"), {14}),
    (re.compile(r"6011|64[4-9]|65|62|352[89]|35[3-8]\d"), {16, 17, 18, 19}),
    (re.compile(r"50|5[6-8]|6[37]"), {13, 14, 15, 16, 17, 18, 19}),
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30}\b", re.IGNORECASE)
_SEPARATORS = str.maketrans("", "", " -")

Country = Literal[
    "BE", "BR", "CA", "CH", "CN", "DE", "DK", "ES", "FI", "FR", "GB", "IN", "IT", "NL", "NO", "PL",
    "SE", "TR", "US", "ZA",
]  # fmt: skip

# The format, and the stdnum module that validates the check digits.
_NATIONAL: dict[str, tuple[tuple[str, str], ...]] = {
    "BE": ((r"\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}", "be.nn"),),
    "BR": ((r"\d{3}\.\d{3}\.\d{3}-\d{2}", "br.cpf"),),
    "CA": ((r"\d{3}[- ]\d{3}[- ]\d{3}", "ca.sin"),),
    "CH": ((r"756\.?\d{4}\.?\d{4}\.?\d{2}", "ch.ssn"),),
    "CN": ((r"\d{17}[\dXx]", "cn.ric"),),
    "DE": ((r"\d{2} ?\d{3} ?\d{3} ?\d{3}", "de.idnr"),),
    "DK": ((r"\d{6}-?\d{4}", "dk.cpr"),),
    "ES": ((r"\d{8}-?[A-Za-z]", "es.dni"), (r"[XYZxyz]-?\d{7}-?[A-Za-z]", "es.nie")),
    "FI": ((r"\d{6}[-+A-FU-Y]\d{3}[\dA-Y]", "fi.hetu"),),
    "FR": ((r"[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}", "fr.nir"),),
    "GB": ((r"\d{3} \d{3} \d{4}", "gb.nhs"),),
    "IN": (
        (r"\d{4} \d{4} \d{4}", "in_.aadhaar"),
        (r"[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z]", "in_.pan"),
    ),
    "IT": ((r"[A-Za-z]{6}\d{2}[A-Za-z]\d{2}[A-Za-z]\d{3}[A-Za-z]", "it.codicefiscale"),),
    "NL": ((r"\d{9}|\d{4}\.\d{2}\.\d{3}", "nl.bsn"),),
    "NO": ((r"\d{6} ?\d{5}", "no.fodselsnummer"),),
    "PL": ((r"\d{11}", "pl.pesel"),),
    "SE": ((r"(?:\d{2})?\d{6}[-+]\d{4}", "se.personnummer"),),
    "TR": ((r"[1-9]\d{10}", "tr.tckimlik"),),
    "US": ((r"\d{3}-\d{2}-\d{4}", "us.ssn"),),
    "ZA": ((r"\d{13}", "za.idnr"),),
}  # fmt: skip


def find_cards(text: str) -> Iterator[tuple[int, int]]:
    from stdnum import luhn

    for match in _CARD.finditer(text):
        digits = match.group().translate(_SEPARATORS)
        if len(set(digits)) > 1 and _is_issued(digits) and luhn.is_valid(digits):
            yield match.span()


def _is_issued(digits: str) -> bool:
    return any(len(digits) in lengths and first.match(digits) for first, lengths in _NETWORKS)


def find_ibans(text: str) -> Iterator[tuple[int, int]]:
    """Capitalised words may directly follow an IBAN: its country determines its length."""
    from stdnum import iban

    lengths = _iban_lengths()
    for match in _IBAN.finditer(text):
        length = lengths.get(match.group()[:2].upper())
        end = None if length is None else _end_of(match, length)
        if end is not None and iban.is_valid(text[match.start() : end], check_country=False):
            yield match.start(), end


def _end_of(match: re.Match[str], length: int) -> int | None:
    """End of the first `length` characters that are not separators; None if the match has fewer."""
    places = [at for at, character in enumerate(match.group()) if character not in " -"]
    return match.start() + places[length - 1] + 1 if len(places) >= length else None


@cache
def _iban_lengths() -> dict[str, int]:
    lengths = (
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 "
        "EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 "
        "IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 "
        "NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 SV28 "
        "TL23 TN24 TR26 UA29 VA22 VG24 XK20"
    )
    return {each[:2]: int(each[2:]) for each in lengths.split()}


def find_national_ids(text: str, countries: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    for country in countries:
        for shape, checker in _NATIONAL[country]:
            is_valid = _checker(checker)
            for match in re.finditer(rf"(?<![\w.-])(?:{shape})(?![\w-])", text):
                if is_valid(match.group()):
                    yield match.span()


@cache
def _checker(name: str) -> Callable[[str], bool]:
    found: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return found
