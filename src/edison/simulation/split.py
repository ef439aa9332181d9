"""The two parts of a dataset's cases."""

from typing import Literal

Split = Literal["train", "holdout"]
