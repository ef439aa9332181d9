"""NumPy that is loaded on use."""

import numpy
import pytest

from edison.kit.lazy_numpy import np


def test_its_functions_are_those_of_numpy() -> None:
    assert np.mean is numpy.mean
    assert np.random is numpy.random
    with pytest.raises(AttributeError, match="no attribute"):
        np.no_such_function  # noqa: B018
