"""Records of other tools as a dataset."""

from typing import Any

from pydantic import ValidationError

from edison.exchange.drafts import Draft, DraftDataset, LeftOut, counted, counted_noun
from edison.exchange.errors import ImportRefused
from edison.exchange.formats import FORMATS
from edison.exchange.recognise import Recognised
from edison.exchange.record_shape import RecordShape
from edison.exchange.shapes import SHAPES
from edison.library.datasets.schemas.datasets import CaseRequest

_LONGEST_NAME = 60


def read_records(found: Recognised, *, name: str, most_cases: int) -> Draft:
    """Raises ImportRefused with the number of the record."""
    shape = next(each for each in SHAPES if each.key == found.format)
    if len(found.records) > most_cases:
        message = f"The file has {len(found.records):,} records; at most {most_cases:,} are taken."
        raise ImportRefused(message, code="too_many")
    cases: list[CaseRequest] = []
    left_out: list[LeftOut] = []
    for number, record in enumerate(found.records, start=1):
        read = shape.read(record)
        if isinstance(read, LeftOut):
            left_out.append(read)
            continue
        fields, unused = read
        left_out += unused
        cases.append(_case(fields, number, shape))
    own = found.records[0].get(shape.dataset_name or "")
    chosen = _name(own) or _name(name) or FORMATS[shape.key].title
    draft = Draft(name=chosen, left_out=counted(left_out))
    source = counted_noun(len(cases), "record")
    draft.datasets = [DraftDataset(source=source, name=draft.name, cases=cases)] if cases else []
    return draft


def _case(fields: dict[str, Any], number: int, shape: RecordShape) -> CaseRequest:
    if not fields["inputs"]:
        raise ImportRefused(
            f"Record {number:,} has no {' or '.join(shape.inputs)}.",
            code="no_inputs",
            field=f"records.{number}.{shape.inputs[0]}",
        )
    try:
        return CaseRequest.model_validate(fields)
    except ValidationError as wrong:
        first = wrong.errors(include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        message = f"Record {number:,}: {first['msg']}."
        raise ImportRefused(message, code="bad_record", field=f"records.{number}.{name}") from wrong


def _name(given: Any) -> str:
    return " ".join(given.split())[:_LONGEST_NAME] if isinstance(given, str) else ""
