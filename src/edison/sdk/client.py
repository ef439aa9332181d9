"""A client of Edison's HTTP API, with the standard library only."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

DEFAULT_URL = "http://127.0.0.1:8000"
_RETRIED = frozenset({429, 502, 503, 504})
_TRIES = 3
_USUAL_PAUSE = 0.5
_LONGEST_PAUSE = 10.0
_NOT_MODIFIED = 304


class ApiError(Exception):
    """The server refused a request, or it could not be reached (`status` 0)."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "",
        details: Any = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details
        self.retry_after_seconds = retry_after_seconds


class _NoRedirects(HTTPRedirectHandler):
    """A redirect would take the token to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Client:
    """Calls the API of one project with a personal access token.

    Without arguments, takes `EDISON_URL`, `EDISON_TOKEN` and `EDISON_PROJECT` from the environment.
    Safe to share between threads.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        project: str | None = None,
        timeout_seconds: float = 30.0,
    ) -> None:
        self.url = (url or os.environ.get("EDISON_URL") or DEFAULT_URL).rstrip("/")
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise ValueError(f"{self.url} is not an http or https address.")
        self.project = project or os.environ.get("EDISON_PROJECT")
        self._token = token or os.environ.get("EDISON_TOKEN")
        self._timeout_seconds = timeout_seconds
        self._opener = build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"Client({self.url!r}, project={self.project!r})"

    def get(self, path: str, **query: Any) -> Any:
        return self.request("GET", path, query=query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        return self.request("POST", path, body=body, query=query)

    def in_project(self, project: str) -> "Client":
        """The same address and token for another project, by slug or id."""
        return Client(
            self.url, token=self._token, project=project, timeout_seconds=self._timeout_seconds
        )

    def download(self, path: str, **query: Any) -> bytes:
        """A file, as the server sends it. Raises ApiError."""
        return self._ask(self._request("GET", path, query=query, headers={"Accept": "*/*"}))[0]

    def pages(self, path: str, **query: Any) -> Iterator[Any]:
        """All items of a list, page by page."""
        following: str | None = None
        while True:
            more = {} if following is None else {"cursor": following}
            page = self.get(path, **query, **more)
            yield from page["items"]
            following = page.get("next")
            if following is None:
                return

    def request(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None
    ) -> Any:
        """The answer as JSON. `path` is below the project, or begins with `/api/`. Raises
        ApiError.
        """
        return self.exchange(method, path, body=body, query=query)[0]

    def exchange(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[Any, Mapping[str, str]]:
        """The answer and its headers; the answer is None for 204 and 304. Retries only reads: a
        write could have been done before its answer was lost. A body of bytes is sent as it is.
        """
        request = self._request(method, path, body=body, query=query, headers=headers)
        content, received = self._ask(request)
        try:
            return (json.loads(content) if content else None), received
        except ValueError:
            raise ApiError(f"{self.url} did not answer with JSON.") from None

    def _request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Request:
        given = {name: each for name, each in (query or {}).items() if each is not None}
        url = self._address(path) + (f"?{urlencode(given, doseq=True)}" if given else "")
        sent = {"Accept": "application/json", **(headers or {})}
        if self._token is not None:
            sent["Authorization"] = f"Bearer {self._token}"
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if content is not None:
            kind = "octet-stream" if content is body else "json"
            sent["Content-Type"] = f"application/{kind}"
        return Request(url, data=content, headers=sent, method=method)  # noqa: S310 - checked

    def _ask(self, request: Request) -> tuple[bytes, Mapping[str, str]]:
        for left in reversed(range(_TRIES if request.method == "GET" else 1)):
            try:
                return self._send(request)
            except ApiError as failed:
                if not left or (failed.status and failed.status not in _RETRIED):
                    raise
                time.sleep(_pause(failed))
        raise AssertionError

    def _address(self, path: str) -> str:
        if path.startswith("/api/"):
            return self.url + path
        if self.project is None:
            raise ApiError("Name a project: Client(project=…) or EDISON_PROJECT.")
        return f"{self.url}/api/v1/projects/{quote(self.project, safe='')}{path}"

    def _send(self, request: Request) -> tuple[bytes, Mapping[str, str]]:
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as answer:
                return answer.read(), dict(answer.headers.items())
        except HTTPError as refused:
            with refused:
                if refused.code == _NOT_MODIFIED:
                    return b"", dict(refused.headers.items())
                raise _error(refused) from None
        except (URLError, OSError, HTTPException, ValueError) as wrong:
            reason = getattr(wrong, "reason", None) or wrong
            raise ApiError(f"{self.url} cannot be reached: {reason}.") from wrong


def _error(refused: HTTPError) -> ApiError:
    try:
        error = json.loads(refused.read())["error"]
        message, code = str(error["message"]), str(error["code"])
        details = error.get("details")
    except (ValueError, KeyError, TypeError, OSError, HTTPException):
        message, code, details = f"The server answered {refused.code}.", "", None
    wait = str(refused.headers.get("Retry-After", ""))
    return ApiError(
        message,
        status=refused.code,
        code=code,
        details=details,
        retry_after_seconds=float(wait) if wait.isdigit() else None,
    )


def _pause(failed: ApiError) -> float:
    """As long as the server asks for, up to 10 seconds."""
    wait = failed.retry_after_seconds
    return _USUAL_PAUSE if wait is None else min(wait, _LONGEST_PAUSE)


_default: Client | None = None


def configure(
    url: str | None = None, *, token: str | None = None, project: str | None = None
) -> Client:
    """Sets the client that functions of this package use unless they are given another one."""
    global _default  # noqa: PLW0603 - one client per program, like the environment
    _default = Client(url, token=token, project=project)
    return _default


def default_client() -> Client:
    return _default if _default is not None else configure()
