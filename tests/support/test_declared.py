"""The check of declared statuses."""

import pytest

from tests.support.declared import check_status


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("GET", "http://edison.test/api/v1/projects?limit=1", 409),
        ("GET", "/api/v1/projects/mine/budgets", 402),
        ("POST", "/api/v1/projects/mine/budgets", 418),
    ],
)
def test_a_status_that_is_not_declared_fails_the_test(method: str, url: str, status: int) -> None:
    with pytest.raises(AssertionError, match=f"answered {status}"):
        check_status(method, url, status)


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("GET", "/api/v1/projects", 200),
        ("POST", "/api/v1/projects/mine/runs", 402),
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/health", 405),
    ],
)
def test_declared_statuses_and_unknown_addresses_pass(method: str, url: str, status: int) -> None:
    check_status(method, url, status)
