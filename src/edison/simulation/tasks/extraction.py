"""Extraction to JSON: agreed keys, clean values, no surrounding text, nothing invented."""

import json
import re
from functools import lru_cache
from typing import Any

from edison.simulation.directives import load_rules
from edison.simulation.facts import Facts
from edison.simulation.luck import pick
from edison.simulation.tasks.invoices import KEYS, Invoice, read_invoice
from edison.simulation.tasks.task import Draft, Task

LOOSE_KEYS = {
    "vendor": "company",
    "invoice_number": "invoiceNo",
    "date": "invoiceDate",
    "due_date": "dueDate",
    "total": "amount",
    "currency": "currencyUnit",
}
_NAMES = {name: key for key, loose in LOOSE_KEYS.items() for name in (key, loose)}
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


@lru_cache(maxsize=4096)
def _parsed(answer: str) -> dict[str, Any] | None:
    found = _OBJECT.search(answer)
    try:
        value = json.loads(found[0]) if found else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _field(answer: str, key: str) -> Any:
    values = _parsed(answer) or {}
    return next((value for name, value in values.items() if _NAMES.get(name, name) == key), None)


def _missing(facts: Facts) -> list[str]:
    return [key for key, value in read_invoice(facts.text).values().items() if value is None]


def _is_bare(facts: Facts, answer: str) -> float:
    return float(_parsed(answer) is not None and answer.strip()[:1] + answer.strip()[-1:] == "{}")


def _has_keys(facts: Facts, answer: str) -> float:
    return sum(key in (_parsed(answer) or {}) for key in KEYS) / len(KEYS)


def _has_iso_dates(facts: Facts, answer: str) -> float:
    dates = [_field(answer, "date"), _field(answer, "due_date")]
    given = [value for value in dates if isinstance(value, str) and any(c.isdigit() for c in value)]
    return float(bool(given) and all(_ISO.fullmatch(value) for value in given))


def _is_number(facts: Facts, answer: str) -> float:
    return float(isinstance(_field(answer, "total"), int | float))


def _has_nulls(facts: Facts, answer: str) -> float:
    values = _parsed(answer)
    if values is None:
        return 0.0
    named = {_NAMES.get(name, name): value for name, value in values.items()}
    missing = _missing(facts)
    return sum(key in named and named[key] is None for key in missing) / len(missing)


def _has_code(facts: Facts, answer: str) -> float:
    return float(_field(answer, "currency") == read_invoice(facts.text).currency)


def _is_grand_total(facts: Facts, answer: str) -> float:
    said, wanted = _field(answer, "total"), read_invoice(facts.text).total
    digits = re.sub(r"[^\d]", "", f"{said:.2f}" if isinstance(said, float) else str(said))
    return float(wanted is not None and digits.startswith(re.sub(r"[^\d]", "", f"{wanted:.2f}")))


def _is_due(facts: Facts, answer: str) -> float:
    return float(_field(answer, "due_date") == read_invoice(facts.text).due_date)


RULES = load_rules(
    "extraction",
    checks={
        "bare": _is_bare,
        "keys": _has_keys,
        "iso": _has_iso_dates,
        "number": _is_number,
        "nulls": _has_nulls,
        "currency": _has_code,
        "gross": _is_grand_total,
        "terms": _is_due,
    },
    applies={
        "iso": lambda facts: read_invoice(facts.text).date is not None,
        "number": lambda facts: read_invoice(facts.text).total is not None,
        "nulls": lambda facts: bool(_missing(facts)),
        "currency": lambda facts: read_invoice(facts.text).currency is not None,
        "gross": lambda facts: read_invoice(facts.text).subtotal is not None,
        "terms": lambda facts: read_invoice(facts.text).has_terms_only,
    },
)


def _values(invoice: Invoice, kept: frozenset[str]) -> dict[str, str | float | None]:
    values = invoice.values()
    if "gross" not in kept and invoice.subtotal is not None:
        values["total"] = invoice.subtotal
    if invoice.has_terms_only and "terms" not in kept:
        values["due_date"] = None
    if "iso" not in kept:
        values["date"] = invoice.raw_date
        values["due_date"] = values["due_date"] and (invoice.raw_due_date or values["due_date"])
    if "currency" not in kept:
        written = invoice.raw_currency
        values["currency"] = written if written in {"€", "$", "£", None} else f"{written}."
    if "number" not in kept and values["total"] is not None:
        values["total"] = f"{values['total']:,.2f} {invoice.raw_currency or ''}".strip()
    return values


def compose(draft: Draft) -> str:
    kept = draft.kept
    own = _own_keys(draft.instructions)
    if own:
        values: dict[str, Any] = {key: _guess(key, draft.facts) for key in own}
    else:
        invoice = read_invoice(draft.facts.text)
        values = dict(_values(invoice, kept))
        if "nulls" not in kept:
            gap = pick(("N/A", "unknown", ""), draft.salt, "gap")
            values = {key: gap if value is None else value for key, value in values.items()}
        if "keys" not in kept:
            values = {LOOSE_KEYS[key]: value for key, value in values.items()}
    if "bare" in kept:
        return json.dumps(values, ensure_ascii=False)
    opening = pick(("Here is the extracted data:", "The text contains the following:"), draft.salt)
    return f"{opening}\n\n```json\n{json.dumps(values, ensure_ascii=False, indent=2)}\n```"


_ASKED = re.compile(
    r"(?:keys?|fields?|properties|attributes)[^:\n]{0,30}:\s*([^\n]+)", re.IGNORECASE
)


@lru_cache(maxsize=2048)
def _own_keys(instructions: str) -> tuple[str, ...]:
    """Keys named in the prompt that are not part of this task."""
    asked = _ASKED.search(instructions)
    named = re.findall(r"[A-Za-z_]\w*", asked[1])[:12] if asked else []
    keys = tuple(dict.fromkeys(name for name in named if name not in {"and", "or", "the", "a"}))
    return () if set(keys) & set(KEYS) else keys


def _guess(key: str, facts: Facts) -> str | None:
    """The most likely value of a key named in the prompt."""
    kind = key.lower()
    if "mail" in kind:
        return facts.email
    if "name" in kind or "person" in kind:
        return facts.name
    if any(part in kind for part in ("number", "id", "code", "reference")):
        return facts.code
    if any(part in kind for part in ("amount", "price", "total", "count", "age", "date")):
        return facts.figures[0] if facts.figures else None
    return facts.sentences[0] if facts.sentences else None


TASK = Task(
    key="extraction",
    title="Data extraction to JSON",
    cues=re.compile(
        r"\b(?:extract\w*|invoices?|fields?|json|structured data|parse|keys?|due date|vendor)\b",
        re.I,
    ),
    rules=RULES,
    compose=compose,
    substance=lambda facts, answer: 0.2 if _parsed(answer) is None else 1.0,
)
