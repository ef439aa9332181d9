"""Converts database rows to the columns of a score table."""

import hashlib
import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import orjson

from edison.kit.lazy_numpy import np
from edison.pipeline.aggregate.table import (
    OVERALL,
    Floats,
    Ints,
    ScoreTable,
    TableCase,
    TableVariant,
)
from edison.pipeline.render.length_bucket import bucket_of, length_of
from edison.pipeline.score.scorer import UNREADABLE, Flag
from edison.runs.results.layout import RULE, WELL_FORMED, LaidCriterion, Rater, ResultLayout
from edison.runs.results.schemas.statistics import RaterKind
from edison.runs.scoring.scales import ScoringQuestion, value_of

MOST_TAGS = 40
_NONE = math.nan
_DECODER = json.JSONDecoder()
_ENCODER = json.JSONEncoder(sort_keys=True)


def keys_of_cases(
    contents: Iterable[tuple[Mapping[str, Any], str | None]], seen: Counter[str]
) -> Iterator[str]:
    """Keys of cases by inputs and expected answer. A duplicate case counts as two cases; `seen`
    counts them.
    """
    for inputs, expected in contents:
        said = _ENCODER.encode([inputs, expected])
        digest = hashlib.sha256(said.encode()).hexdigest()[:32]
        seen[digest] += 1
        yield f"{digest}#{seen[digest]}"


class ResultCases:
    """Cases by position. Keys are derived from the content, so that cases of two runs can be
    paired.
    """

    def __init__(self) -> None:
        self._rows: list[TableCase] = []
        self._seen: Counter[str] = Counter()

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_cases`."""
        _, all_tags, difficulties, expected, inputs = columns
        read = [_DECODER.decode(each) for each in inputs]
        keys = keys_of_cases(zip(read, expected, strict=True), self._seen)
        for key, tags, asked, difficulty in zip(keys, all_tags, read, difficulties, strict=True):
            length = bucket_of(length_of(asked))
            case = TableCase(key=key, tags=tuple(tags), length=length, difficulty=difficulty)
            self._rows.append(case)

    def cases(self) -> tuple[TableCase, ...]:
        """The cases with the `MOST_TAGS` most frequent tags only, to keep heat maps readable."""
        counts = Counter(tag for case in self._rows for tag in set(case.tags))
        if len(counts) <= MOST_TAGS:
            return tuple(self._rows)
        ranked = sorted(counts, key=lambda tag: (-counts[tag], tag))
        kept = set(ranked[:MOST_TAGS])
        return tuple(
            TableCase(
                key=case.key,
                tags=tuple(tag for tag in case.tags if tag in kept),
                length=case.length,
                difficulty=case.difficulty,
            )
            for case in self._rows
        )


class OutputPlaces:
    """Case, variant, repeat and text length of each output, in columns: a tuple per output would
    slow down every garbage collection. Lengths are NaN if the outputs are read without usage.
    """

    def __init__(self) -> None:
        self._at: dict[str, int] = {}
        self._case, self._variant, self._repeat = array("q"), array("q"), array("q")
        self._length = array("d")

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_outputs`."""
        _, output_ids, case, variant, repeat, _, _, _, *usage = columns
        self._at.update(zip(output_ids, count(len(self._case)), strict=False))
        self._case.extend(case)
        self._variant.extend(variant)
        self._repeat.extend(repeat)
        lengths = usage[-1] if usage else [None] * len(case)
        self._length.frombytes(np.array(lengths, dtype=np.float64).tobytes())

    def find(self, output_id: str) -> tuple[int, int, int, float] | None:
        at = self._at.get(output_id)
        if at is None:
            return None
        return self._case[at], self._variant[at], self._repeat[at], self._length[at]

    def find_all(self, output_ids: Iterable[str]) -> "tuple[Ints, Ints, Ints, Floats] | None":
        """Columns of these outputs; None if one is unknown."""
        try:
            places = np.fromiter(map(self._at.__getitem__, output_ids), dtype=np.int64)
        except KeyError:
            return None
        case, variant, repeat = (
            np.frombuffer(each, dtype=np.int64)[places]
            for each in (self._case, self._variant, self._repeat)
        )
        return case, variant, repeat, np.frombuffer(self._length)[places]


class ScoreColumns:
    """The rows of a score table. Scores without a value are counted by flag."""

    def __init__(self, layout: ResultLayout, outputs: OutputPlaces) -> None:
        self._layout = layout
        self._outputs = outputs
        self._whole = {name: array("q") for name in ("case", "variant", "repeat")}
        self._who = {name: array("q") for name in ("scorer", "criterion")}
        self._value, self._passed, self._length = array("d"), array("d"), array("d")
        self.flags: Counter[tuple[int, str]] = Counter()
        self.judge_nanos: Counter[int] = Counter()
        # Row indexes of failed answers that count as 0, and of human scores of random samples.
        self._failed, self._random = array("q"), array("q")
        # Variants of outputs with an unreadable score, by output.
        self._unreadable: dict[str, int] = {}
        self._keys: dict[int, str] = {}

    def unreadable(self) -> Counter[int]:
        """Number of outputs with an unreadable score, by variant."""
        return Counter(self._unreadable.values())

    def add(self, columns: Sequence[Sequence[Any]]) -> None:
        """Adds columns of `ResultRows.list_scores`."""
        if not self._add_plain(columns):
            self._add_each(zip(*columns, strict=True))

    def _add_plain(self, columns: Sequence[Sequence[Any]]) -> bool:
        """Adds scores of which each is one value, many times faster; False if some are more."""
        _, output_ids, scorer, values, passed, flags, nanos, *parts = columns
        known = set(scorer)
        if any(flags) or any(map(any, parts)) or None in values:
            return False
        if any(self._layout.rubrics[each] is not None for each in known):
            return False
        places = self._outputs.find_all(output_ids)
        if places is None:
            return False
        raters = {each: self._rater(each, None) for each in known}
        criteria = {each: self._layout.criterion_places[f"s{each}"] for each in known}
        weighed = {each: self._has_weight(criteria[each]) for each in known}
        case, variant, repeat, length = places
        self._whole["case"].frombytes(case.tobytes())
        self._whole["variant"].frombytes(variant.tobytes())
        self._whole["repeat"].frombytes(repeat.tobytes())
        self._length.frombytes(length.tobytes())
        self._who["scorer"].extend(map(raters.__getitem__, scorer))
        self._who["criterion"].extend(map(criteria.__getitem__, scorer))
        self._value.extend(values)
        counts = np.array([weighed[each] for each in scorer])
        said = np.where(counts, np.array(passed, dtype=np.float64), _NONE)
        self._passed.frombytes(said.tobytes())
        if any(nanos):
            for at, cost in zip(variant.tolist(), nanos, strict=True):
                self.judge_nanos[at] += cost or 0
        return True

    def _add_each(self, rows: Iterable[Sequence[Any]]) -> None:
        for _, output_id, scorer, value, is_passed, flag, nanos, criteria, judges in rows:
            place = self._outputs.find(output_id)
            if place is None:
                continue
            self.judge_nanos[place[1]] += nanos or 0
            if flag is not None:
                self.flags[scorer, flag] += 1
            if flag in UNREADABLE:
                self._unreadable.setdefault(output_id, place[1])
            if flag in UNREADABLE and judges is None:
                # The value is a substitute for a score that could not be obtained.
                self._append_missing(place, scorer)
                continue
            if value is None:
                continue
            # Without one of its judges, a panel's pass verdict is unknown.
            passed = _NONE if is_passed is None or flag in UNREADABLE else float(is_passed)
            for rater, criterion, said in self._said(scorer, value, flag, criteria, judges):
                has_weight = self._has_weight(criterion)
                self._append(place, rater, criterion, said, passed if has_weight else _NONE)
                # Each verdict counts once, even with several values.
                passed = _NONE if has_weight else passed

    def add_failed(self, columns: Sequence[Sequence[Any]]) -> None:
        """For runs in which failed answers score 0: adds 0 for every weighted criterion."""
        for output_id, status in zip(columns[1], columns[5], strict=True):
            if status != "error" or (place := self._outputs.find(output_id)) is None:
                continue
            rater = self._layout.place_rater(RULE)
            weighed = [
                at for at in self._layout.criterion_places.values() if self._has_weight(at)
            ] or [self._layout.place_criterion(WELL_FORMED)]
            self._failed.append(len(self._value))
            for criterion in weighed:
                self._append(place, rater, criterion, 0.0, _NONE)

    def add_malformed(self, columns: Sequence[Sequence[Any]]) -> None:
        """For runs without scorers: malformed answers score 0."""
        for output_id, status in zip(columns[1], columns[5], strict=True):
            if status == "malformed" and (place := self._outputs.find(output_id)) is not None:
                criterion = self._layout.place_criterion(WELL_FORMED)
                self._append(place, self._layout.place_rater(RULE), criterion, 0.0, _NONE)

    def add_people(self, rows: Iterable[Sequence[Any]]) -> None:
        for output_id, user_id, question, value, criteria, is_random in rows:
            place = self._outputs.find(output_id)
            if place is None:
                continue
            key = f"p{user_id}"
            rater = self._layout.place_rater(Rater(key=key, label="", kind=RaterKind.PERSON))
            first = len(self._value)
            self._append(place, rater, OVERALL, value, _NONE)
            for name, answer in (criteria or {}).items():
                if (at := self._layout.place_named(name)) is not None:
                    self._append(
                        place, rater, at, value_of(ScoringQuestion(question), answer), _NONE
                    )
            if is_random:
                self._random.extend(range(first, len(self._value)))

    def table(self, cases: tuple[TableCase, ...], variants: tuple[TableVariant, ...]) -> ScoreTable:
        columns = {
            name: np.array(column, dtype=np.int64)
            for name, column in (self._whole | self._who).items()
        }
        passed = np.array(self._passed)
        if not np.isnan(passed).all():
            passed[self._failed] = 0.0
        is_random = np.zeros(len(passed), dtype=bool)
        is_random[self._random] = True
        return ScoreTable(
            cases=cases,
            variants=variants,
            scorers=self._layout.table_scorers(),
            criteria=self._layout.table_criteria(),
            value=np.array(self._value),
            passed=passed,
            output_length=np.array(self._length),
            is_random=is_random,
            **columns,
        )

    def _said(
        self, scorer: int, value: float, flag: str | None, criteria: str | None, judges: str | None
    ) -> Iterable[tuple[int, int, float]]:
        """Rater, criterion and value of each part of one score."""
        names, places = self._layout.rubrics[scorer], self._layout.criterion_places
        if judges is not None and names is not None:
            for label, judge in orjson.loads(judges).items():
                rater = self._layout.place_judge(scorer, label, judge["model_id"])
                # A flagged judge gave no verdict; its values are substitutes.
                said = judge["criteria"] if judge["flag"] is None else {}
                yield from self._on_rubric(rater, names, said)
            return
        rater = self._rater(scorer, flag)
        parts = None if criteria is None else orjson.loads(criteria)
        if names is not None:
            if parts:
                yield from self._on_rubric(rater, names, parts)
            else:
                yield from ((rater, places[key], value) for key in names.values())
            return
        yield rater, places[f"s{scorer}"], value
        for name, part in (parts or {}).items():
            key = f"s{scorer}.{name}"
            shown = LaidCriterion(key=key, name=name, weight=0.0, scorers=(scorer,))
            yield rater, self._layout.place_criterion(shown), part["value"]

    def _on_rubric(
        self, rater: int, names: Mapping[str, str], said: Mapping[str, Mapping[str, Any]]
    ) -> Iterable[tuple[int, int, float]]:
        """Missing criteria count as unreadable (NaN)."""
        places = self._layout.criterion_places
        for name, key in names.items():
            number = said[name]["value"] if name in said else _NONE
            yield rater, places[key], number

    def _append_missing(self, place: tuple[int, int, int, float], scorer: int) -> None:
        """Adds NaN for every criterion of the scorer."""
        rater = self._layout.place_rater(self._layout.raters[f"s{scorer}"])
        names = self._layout.rubrics[scorer]
        for key in [f"s{scorer}"] if names is None else names.values():
            self._append(place, rater, self._layout.criterion_places[key], _NONE, _NONE)

    def _has_weight(self, criterion: int) -> bool:
        key = self._keys.get(criterion)
        if key is None:
            self._keys = {at: key for key, at in self._layout.criterion_places.items()}
            key = self._keys[criterion]
        return self._layout.criteria[key].weight > 0

    def _rater(self, scorer: int, flag: str | None) -> int:
        rater = self._layout.raters[f"s{scorer}"]
        if flag == Flag.MALFORMED and rater.kind is RaterKind.JUDGE:
            return self._layout.place_rater(RULE)
        return self._layout.place_rater(rater)

    def _append(
        self,
        place: tuple[int, int, int, float],
        rater: int,
        criterion: int,
        value: float,
        passed: float,
    ) -> None:
        case, variant, repeat, length = place
        self._whole["case"].append(case)
        self._whole["variant"].append(variant)
        self._whole["repeat"].append(repeat)
        self._who["scorer"].append(rater)
        self._who["criterion"].append(criterion)
        self._value.append(value)
        self._passed.append(passed)
        self._length.append(length)
