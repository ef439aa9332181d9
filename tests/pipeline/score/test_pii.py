"""Personal data: found by shape and check digits, without false positives."""

from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edison.pipeline.score.safety.findings import SafetyFinding, redact, without_overlaps
from edison.pipeline.score.safety.numbers import Country
from edison.pipeline.score.safety.pii import SURE_KINDS, PiiKind, PiiOptions, find_pii
from edison.pipeline.score.safety.secrets import SecretShape, secret_shapes

ALL = PiiOptions(kinds=tuple(PiiKind), region="US", countries=get_args(Country))


CARD = "4111 1111 1111 1111"


def redacted(text: str, wanted: PiiOptions = ALL) -> str:
    return redact(text, find_pii(text, wanted))


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("Mail john.doe+x@mail.example.co.uk.", "Mail [EMAIL]."),
        ("john (at) example (dot) org", "[EMAIL]"),
        ("Grüße an jörg@müller.de!", "Grüße an [EMAIL]!"),
        # The test numbers that the card networks publish.
        ("Visa 4111 1111 1111 1111, Amex 378282246310005", "Visa [CARD], Amex [CARD]"),
        ("5555-5555-5555-4444 / 30569309025904", "[CARD] / [CARD]"),
        # The examples of the IBAN registry.
        ("DE89 3704 0044 0532 0130 00 IS MINE", "[IBAN] IS MINE"),
        ("gb29nwbk60161331926819; NO9386011117947", "[IBAN]; [IBAN]"),
        ("Call +49 30 901820 or (650) 253-0000.", "Call [PHONE] or [PHONE]."),
        ("650-253-0000 650-253-0001", "[PHONE] [PHONE]"),
        ("SSN 536-90-4399", "SSN [NATIONAL_ID]"),
        ("IdNr 36 574 261 809", "IdNr [NATIONAL_ID]"),
        ("CPF 390.533.447-05", "CPF [NATIONAL_ID]"),
        ("NIR 2 95 10 99 126 111 93", "NIR [NATIONAL_ID]"),
        ("DNI 54362315K, NIE X-2482300-W", "DNI [NATIONAL_ID], NIE [NATIONAL_ID]"),
        ("from 8.8.8.8 and 2001:4860:4860::8888", "from [IP_ADDRESS] and [IP_ADDRESS]"),
        ("postgresql://admin:hunter22@db.internal/x", "[SECRET]/x"),
        ('{"password": "correct-horse"}', '{"[SECRET]}'),
        (
            "My name is John Smith and I know Mr. Bean.",
            "My name is [PERSON] and I know Mr. [PERSON].",
        ),
        ("221B Baker Street; Hauptstraße 5", "[ADDRESS]; [ADDRESS]"),
    ],
)
def test_personal_data_is_found(text: str, without: str) -> None:
    assert redacted(text) == without


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112 has a wrong check digit; 0000 0000 0000 0000 is none.",
        "9111111111111111 is of no network, though its check digit may be right.",
        "DE88 3704 0044 0532 0130 00 has wrong check digits.",
        "ZZ89 3704 0044 0532 0130 00 is of no country.",
        "Order 1234567890123456 of 2024-01-15, 19.99 in total, version 1.2.3.",
        "000-12-3456 and 666-12-3456 were never issued.",
        "127.0.0.1, 10.0.0.1, 192.168.0.1 and ::1 are nobody's; v1.2.3.4 is a version.",
        "At 12:30:45 the @handle wrote a@b; 50% of us@work.",
        "A task-force-sk-something, and the risk-averse.",
        "ISBN 978-3-16-148410-0",
        "Dear customer, the doctor said that the street is long.",
    ],
)
def test_lookalikes_of_personal_data_are_left_unchanged(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("shape", secret_shapes(), ids=lambda shape: str(shape.name))
def test_api_keys_are_recognised_by_their_shape(shape: SecretShape) -> None:
    assert redacted(f"It is {shape.example}", PiiOptions()) == "It is [SECRET]"


def test_phone_numbers_without_a_country_need_a_region() -> None:
    text = "030 901820 and +1 650-253-0000"
    assert redacted(text, PiiOptions()) == "030 901820 and [PHONE]"
    assert redacted(text, PiiOptions(region="DE")) == "[PHONE] and [PHONE]"


def test_national_ids_are_those_of_the_countries_asked_for() -> None:
    text = "536-90-4399, 390.533.447-05"
    assert redacted(text, PiiOptions(countries=("BR",))) == "536-90-4399, [NATIONAL_ID]"


def test_names_and_streets_are_searched_only_when_requested() -> None:
    assert redacted("Mr. Bean, 12 Long Road", PiiOptions()) == "Mr. Bean, 12 Long Road"
    assert set(PiiKind) - set(SURE_KINDS) == {PiiKind.PERSON, PiiKind.ADDRESS}


def test_allowed_values_are_not_redacted() -> None:
    text = "help@example.com, jo@EXAMPLE.com, jo@example.org, +49 30 901820"
    wanted = PiiOptions(allowed=("@example.com", "+49 30 901820"))
    assert redacted(text, wanted) == "help@example.com, jo@EXAMPLE.com, [EMAIL], +49 30 901820"


@pytest.mark.parametrize(
    ("text", "without"),
    [
        (CARD.translate({code: code + 0xFEE0 for code in range(0x30, 0x3A)}), "[CARD]"),
        (CARD.translate({code: code + 0x630 for code in range(0x30, 0x3A)}), "[CARD]"),
        (CARD.replace(" ", "\N{EN DASH}"), "[CARD]"),
        ("a j\u200bohn@exa\u200bmple.com b", "a [EMAIL] b"),
        ("\ufeff+49\u00a030\u00a0901820", "\ufeff[PHONE]"),
    ],
)
def test_simple_obfuscation_is_detected(text: str, without: str) -> None:
    assert redacted(text) == without


def test_of_overlapping_findings_the_first_counts() -> None:
    def at(start: int, end: int) -> SafetyFinding:
        return SafetyFinding(kind="k", name="a k", start=start, end=end)

    found = [at(5, 9), at(0, 5), at(8, 12), at(3, 6), at(9, 10), at(7, 7)]
    assert without_overlaps(found) == [at(0, 5), at(5, 9), at(9, 10)]


START = SafetyFinding(kind="", name="", start=0, end=0)
SNIPPETS = st.sampled_from(
    ["4111 1111 1111 1111", "a@b.de", "+49 30 901820", "8.8.8.8", "\u200b", "é", "\ud800", " ", "1"]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(SNIPPETS | st.text(max_size=5), max_size=12).map("".join))
def test_redaction_takes_the_findings_and_nothing_else(text: str) -> None:
    found = find_pii(text, PiiOptions())
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    pieces = [text[one.end : other.start] for one, other in pairwise([START, *found])]
    marks = [f"[{one.kind.upper()}]" for one in found]
    rest = text[found[-1].end :] if found else text
    written = "".join(piece + mark for piece, mark in zip(pieces, marks, strict=True))
    assert redact(text, found) == written + rest
