"""Loading all modules of a process."""

import gc

import pytest
from pydantic import BaseModel, ValidationError

from edison.kit.startup import loading_modules


def test_validators_of_models_are_built_at_their_first_use() -> None:
    with loading_modules():
        assert not gc.isenabled()

        class Deferred(BaseModel):
            count: int

    class Other(BaseModel):
        count: int

    assert gc.isenabled()
    assert not Deferred.__pydantic_complete__
    assert Other.__pydantic_complete__
    with pytest.raises(ValidationError, match="count"):
        Deferred.model_validate({"count": "many"})
    assert Deferred.model_validate({"count": "1"}) == Deferred(count=1)


def test_loading_can_fail() -> None:
    with pytest.raises(ImportError), loading_modules():
        raise ImportError
    assert gc.isenabled()
    assert "defer_build" not in BaseModel.model_config
