"""Coverage measures of cases: language, entities, ambiguity, and their totals."""

import pytest

from edison.library.coverage import languages
from edison.library.coverage.ambiguity import level_of
from edison.library.coverage.case_text import read_inputs
from edison.library.coverage.entities import kinds_in
from edison.library.coverage.schemas import DimensionKey, DimensionRead
from edison.library.coverage.tally import MeasuredCase, Tally


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where is my order?", "en"),
        ("Wo ist meine Bestellung?", "de"),
        ("Où est ma commande ?", "fr"),
        ("¿Dónde está mi pedido?", "es"),
        ("Dove è il mio ordine?", "it"),
        ("Onde está o meu pedido?", "pt"),
        ("Waar is mijn bestelling?", "nl"),
        ("Var är min beställning?", "sv"),
        ("Hvor er min bestilling?", "da"),
        ("Gdzie jest moje zamówienie?", "pl"),
        ("Siparişim nerede?", "tr"),
        ("Где мой заказ?", "ru"),
        ("Де моє замовлення?", "uk"),
        ("私の注文はどこですか", "ja"),
        ("내 주문은 어디에 있나요", "ko"),
        ("我的订单在哪里", "zh"),
        ("أين طلبي", "ar"),
        ("The word 注文 means order and is what I have to write", "en"),
        ("12345", None),
        ("Photosynthesis", None),
        ("", None),
    ],
)
def test_the_language_of_a_text(text: str, language: str | None) -> None:
    read = read_inputs({"text": text})
    assert languages.detect(read.lowered, read.words) == language


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Write to ada@example.org", {"email"}),
        ("See https://example.org/x or www.example.org", {"url"}),
        ("It cost $20", {"money", "number"}),
        ("Das kostet 20 Euro", {"money", "number"}),
        ("Due on 2026-01-31", {"date", "number"}),
        ("Due on 3 March", {"date", "number"}),
        ("Ask Ada Lovelace about it", {"name"}),
        ("Hello, this is Ada. It is late", {"name"}),
        ("It is late.\n\nKind regards,\nAda", {"name"}),
        ("It is late.\n\nAda", {"name"}),
        ("It is late. Thanks, Ada\n", {"name"}),
        ("It is late.\nReally", set()),
        ("\n" * 100_000 + "x", set()),
        ("It is late in Paris", set()),
        ("The Parcel is late", set()),
        ("Order #4711 and AB-1234", {"identifier", "number"}),
        ("nothing in particular", set()),
    ],
)
def test_the_entities_of_a_text(text: str, kinds: set[str]) -> None:
    assert set(kinds_in(read_inputs({"text": text}))) == kinds


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("Please cancel order 4711 and refund the full amount to my card.", "clear"),
        ("Please do something about order 4711 on my card.", "open"),
        ("It does not work.", "open"),
        ("It broke", "ambiguous"),
        ("Can I return it or exchange it? When?", "ambiguous"),
        ("", "open"),
    ],
)
def test_the_ambiguity_of_a_text(text: str, level: str) -> None:
    assert level_of(read_inputs({"text": text})) == level


def case(
    text: str = "Where is my order?", *tags: str, difficulty: int | None = None
) -> MeasuredCase:
    return MeasuredCase(inputs={"q": text}, tags=tags, difficulty=difficulty, split="train")


def dimension(tally: Tally, key: DimensionKey, **options: list[str]) -> DimensionRead:
    return next(each for each in tally.dimensions(**options) if each.key is key)


def tallied(*cases: MeasuredCase) -> Tally:
    tally = Tally()
    tally.add(cases)
    return tally


def test_a_bucket_below_the_target_is_thin() -> None:
    """A twentieth of 100 cases is five."""
    tally = tallied(*[case("x", "full")] * 95, *[case("x", "thin")] * 4, case())
    found = dimension(tally, DimensionKey.TAGS)
    assert [(each.value, each.cases, each.share, each.is_thin) for each in found.buckets] == [
        ("full", 95, 0.95, False),
        ("thin", 4, 0.04, True),
    ]
    assert (found.target, found.without, found.coverage) == (5, 1, 0.9)


def test_an_even_spread_covers_a_dimension_of_known_buckets() -> None:
    tally = tallied(*[case(difficulty=1 + n % 5) for n in range(50)])
    found = dimension(tally, DimensionKey.DIFFICULTY)
    assert (found.target, found.coverage) == (5, 1.0)
    assert [each.value for each in found.buckets] == ["1", "2", "3", "4", "5"]


def test_a_language_that_is_expected_counts_as_missing() -> None:
    tally = tallied(*[case()] * 10)
    assert dimension(tally, DimensionKey.LANGUAGE).coverage == 1.0
    found = dimension(tally, DimensionKey.LANGUAGE, expected_languages=["de", "en"])
    assert [(each.value, each.cases) for each in found.buckets] == [("en", 10), ("de", 0)]
    assert found.coverage == 0.5


def test_an_empty_dataset_has_no_coverage_and_no_gaps() -> None:
    assert {each.coverage for each in Tally().dimensions()} == {0.0}
    assert Tally().gaps() == []


def test_the_thinnest_buckets_come_first_as_words() -> None:
    spread = [case(f"Where is order #{n}00?", "a", difficulty=1 + n % 5) for n in range(95)]
    tally = tallied(*spread, *[case("Wo ist meine Bestellung #1234?", "b")] * 4)
    gaps = tally.gaps()
    assert "mentions a date" in gaps
    assert gaps.index("mentions a date") < gaps.index("tagged “b”")
    assert "written in German" in gaps
    assert not any("split" in gap for gap in gaps)
