"""CSV text. Guard cells that hold user input with `formulas.guard`."""

import csv
import io
from collections.abc import Iterable


def encode_rows(rows: Iterable[Iterable[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
