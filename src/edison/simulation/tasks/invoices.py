"""Parses an invoice or its covering mail: the ground truth of the extraction task."""

import re
from datetime import date, timedelta
from functools import lru_cache

from edison.kit.lazy_dataclasses import dataclass

KEYS = ("vendor", "invoice_number", "date", "due_date", "total", "currency")

_MONTHS = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}
_DATE = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)? (January|February|March|April|May|June|July|August|September|"
    r"October|November|December) (\d{4})\b|"
    r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b|\b(\d{4})-(\d\d)-(\d\d)\b"
)
_NUMBER = re.compile(r"\b(?:INV|RE|FA|R|F)[-/ ]?\d[\d/-]*\d\b|(?<=[Ii]nvoice )(?:no\. ?)?\d{4,}")
_VENDOR = re.compile(
    r"([A-Z][\w&.'-]+(?: (?:[A-Z&][\w&.'-]*|and|of))*,? "
    r"(?:GmbH|Ltd|Inc|LLC|AG|SARL|BV|Co|Oy|plc))\b"
)
_MONEY = re.compile(
    r"(€|\$|£|EUR|USD|GBP|CHF)\s?(\d[\d.,']*\d)|(\d[\d.,']*\d)\s?(€|\$|£|EUR|USD|GBP|CHF)"
)
_CODES = {"€": "EUR", "$": "USD", "£": "GBP"}
_TOTAL = re.compile(
    r"(?:grand total|total due|amount due|to pay|total payable|total)[^\d€$£]{0,25}$", re.I
)
_SUBTOTAL = re.compile(r"(?:subtotal|net amount|net|before tax|without vat)[^\d€$£]{0,25}$", re.I)
_TERMS = re.compile(r"\b(?:net|within|payable in) (\d{2}) days|\bnet (\d{2})\b", re.IGNORECASE)
_DUE = re.compile(r"(?:due|pay(?:able)? by|no later than|before)[^\d]{0,15}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """Normalised values and, with `raw_`, the values as written. `subtotal` is the amount easily
    mistaken for the total.
    """

    vendor: str | None
    number: str | None
    date: str | None
    raw_date: str | None
    due_date: str | None
    raw_due_date: str | None
    has_terms_only: bool
    total: float | None
    raw_total: str | None
    subtotal: float | None
    currency: str | None
    raw_currency: str | None

    def values(self) -> dict[str, str | float | None]:
        return {
            "vendor": self.vendor,
            "invoice_number": self.number,
            "date": self.date,
            "due_date": self.due_date,
            "total": self.total,
            "currency": self.currency,
        }


def _iso(match: re.Match[str]) -> str:
    if match[2]:
        return f"{match[3]}-{_MONTHS[match[2].lower()]:02d}-{int(match[1]):02d}"
    if match[5]:
        return f"{match[6]}-{int(match[5]):02d}-{int(match[4]):02d}"
    return match[0]


def _amount(written: str) -> float:
    plain = written.replace("'", "")
    if re.search(r",\d{2}$", plain):
        plain = plain.replace(".", "").replace(",", ".")
    return float(plain.replace(",", "") if plain.count(".") <= 1 else plain.replace(".", ""))


@lru_cache(maxsize=4096)
def read_invoice(text: str) -> Invoice:
    vendor, number = _VENDOR.search(text), _NUMBER.search(text)
    day, due, terms = _dates(text)
    total, subtotal = _amounts(text)
    raw_currency = (total[1] or total[4]) if total else None
    iso, iso_due = (_iso(day) if day else None), (_iso(due) if due else None)
    if terms and iso and not iso_due:
        iso_due = (date.fromisoformat(iso) + timedelta(days=terms)).isoformat()
    return Invoice(
        vendor=vendor[1] if vendor else None,
        number=number[0].removeprefix("no. ") if number else None,
        date=iso,
        raw_date=day[0] if day else None,
        due_date=iso_due,
        raw_due_date=due[0] if due else None,
        has_terms_only=bool(terms and not due),
        total=_amount(total[2] or total[3]) if total else None,
        raw_total=total[0] if total else None,
        subtotal=_amount(subtotal[2] or subtotal[3]) if subtotal else None,
        currency=_CODES.get(raw_currency, raw_currency) if raw_currency else None,
        raw_currency=raw_currency,
    )


def _dates(text: str) -> tuple[re.Match[str] | None, re.Match[str] | None, int | None]:
    day = due = None
    for match in _DATE.finditer(text):
        if _DUE.search(text[: match.start()]):
            due = due or match
        else:
            day = day or match
    terms = _TERMS.search(text)
    return day, due, int(terms[1] or terms[2]) if terms else None


def _amounts(text: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    found = list(_MONEY.finditer(text))
    before = [text[: match.start()] for match in found]
    subtotal = next((m for m, b in zip(found, before, strict=True) if _SUBTOTAL.search(b)), None)
    total = next(
        (m for m, b in zip(found, before, strict=True) if _TOTAL.search(b) and m is not subtotal),
        next((m for m in found if m is not subtotal), None),
    )
    return total, subtotal
