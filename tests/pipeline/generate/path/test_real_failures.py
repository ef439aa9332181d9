"""Every failure of a real server, through the real adapter: one normal failure, exact charges, and
no leaked slot. Only the pauses between attempts are skipped.
"""

import datetime
import socket
import ssl
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from edison.pipeline.generate import connection_pool
from edison.pipeline.generate.addresses import NetworkPolicy
from edison.pipeline.generate.outcome import CallFailed, Completion, TextDelta
from edison.pipeline.generate.path.dispatch_queue import DispatchQueue
from edison.pipeline.generate.path.question import Answer as PathAnswer
from edison.pipeline.generate.providers.openai_compatible import OpenAICompatible
from tests.conftest import TurnableClock
from tests.fake_providers import openai
from tests.fake_providers.scripted_server import (
    Answer,
    Reply,
    ScriptedServer,
    Silence,
    Stream,
    running,
)
from tests.pipeline.generate.conftest import Serve
from tests.pipeline.generate.path.recording import (
    PROMPT_NANOS,
    WORST_NANOS,
    Desk,
    make_question,
)

# Twenty tokens in and nine out, as the servers report.
COUNTED_NANOS = 20 * 1000 + 9 * 2000


class Skipped:
    """A clock that moves only by the pauses it is asked to sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


class Caller:
    """Calls through the whole path and checks that nothing leaks."""

    def __init__(self) -> None:
        self.skipped = Skipped()
        self.desk = Desk(sleep=self.skipped.sleep)
        self.dispatch = DispatchQueue(service="OpenAI", clock=self.skipped.clock)

    async def ask(
        self, url: str, *, is_streamed: bool = False, timeout_seconds: float = 10
    ) -> tuple[PathAnswer, str]:
        """The answer, and the streamed text."""
        provider = OpenAICompatible.open(
            {"base_url": url, "api_key": "sk-planted"}, network=NetworkPolicy(allow_loopback=True)
        )
        question = make_question(provider, dispatch=self.dispatch, timeout_seconds=timeout_seconds)
        shown = ""
        if is_streamed:
            items, answer = await self.desk.stream(question)
            shown = "".join(item.text for item in items if isinstance(item, TextDelta))
        else:
            answer = await self.desk.path.answer(question)
        await provider.close()
        assert (self.dispatch.state.under_way, self.dispatch.state.waiting) == (0, 0)
        assert answer.cost_nanos == sum(each.cost_nanos or 0 for each in self.desk.ledger.charged)
        assert "sk-planted" not in repr((answer, self.desk.ledger, self.desk.observer))
        return answer, shown


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with running() as server:
        yield server


@pytest.fixture
def caller() -> Caller:
    return Caller()


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    ("reply", "reason", "attempts", "nanos"),
    [
        (openai.error(401, code="invalid_api_key"), "invalid_key", 1, 0),
        (openai.error(429, code="insufficient_quota"), "quota", 1, 0),
        (openai.error(429), "rate_limit", 3, 0),
        (openai.error(500), "provider", 3, 0),
        (openai.error(502), "provider", 3, 0),
        (openai.error(503), "provider", 3, 0),
        (openai.error(529), "provider", 3, 0),
        (openai.error(400, param="temperature"), "provider", 1, 0),
        (openai.error(400, code="context_length_exceeded"), "context_length", 1, 0),
        (openai.error(404, code="model_not_found"), "model_not_found", 1, 0),
        (openai.error(400, code="content_filter"), "content_filter", 1, PROMPT_NANOS),
        (
            openai.completion(None, finish_reason="content_filter"),
            "content_filter",
            1,
            COUNTED_NANOS,
        ),
        (Answer(body=b'{"choices": ['), "malformed_response", 1, WORST_NANOS),
        (Answer(body={"choices": "none"}), "malformed_response", 1, WORST_NANOS),
        (
            Answer(body={"choices": [], "usage": openai.USAGE}),
            "malformed_response",
            1,
            COUNTED_NANOS,
        ),
    ],
)
async def test_a_bad_answer_ends_in_its_failure_with_exact_charges(
    *,
    server: ScriptedServer,
    caller: Caller,
    reply: Reply,
    reason: str,
    attempts: int,
    nanos: int,
    is_streamed: bool,
) -> None:
    server.script(reply)
    answer, _ = await caller.ask(server.url, is_streamed=is_streamed)
    assert isinstance(answer.outcome, CallFailed)
    assert (answer.outcome.reason, answer.attempts) == (reason, attempts)
    assert caller.desk.ledger.ends == [(reason, nanos)] * attempts
    assert caller.skipped.pauses == [1, 2][: attempts - 1]
    assert len(server.received) == attempts


async def test_a_revoked_key_fails_only_later_calls(server: ScriptedServer, caller: Caller) -> None:
    server.script(openai.completion("One."), openai.error(401))
    before, _ = await caller.ask(server.url)
    caller.desk.cache.kept.clear()
    caller.desk.ledger.reservations.clear()
    after, _ = await caller.ask(server.url)
    assert isinstance(before.outcome, Completion)
    assert (before.cost_nanos, after.cost_nanos) == (COUNTED_NANOS, 0)
    assert isinstance(after.outcome, CallFailed)
    assert after.outcome.reason == "invalid_key"


async def test_a_rate_limit_is_waited_out_in_seconds_or_until_a_date(
    server: ScriptedServer, caller: Caller, turnable_clock: TurnableClock
) -> None:
    date = turnable_clock.now() + datetime.timedelta(seconds=90)
    server.script(
        openai.error(429, retry_after="12"),
        openai.error(429, retry_after=date.strftime("%a, %d %b %Y %H:%M:%S GMT")),
        openai.completion(),
    )
    answer, _ = await caller.ask(server.url)
    assert isinstance(answer.outcome, Completion)
    assert caller.skipped.pauses == [12, 90]
    assert answer.waited_seconds == 102
    assert caller.desk.ledger.ends == [
        ("rate_limit", 0),
        ("rate_limit", 0),
        (None, COUNTED_NANOS),
    ]


async def test_only_the_answer_of_a_recovered_server_is_charged(
    server: ScriptedServer, caller: Caller
) -> None:
    server.script(openai.error(503), openai.text_stream("Par", "is."))
    answer, shown = await caller.ask(server.url, is_streamed=True)
    assert (shown, answer.attempts, answer.cost_nanos) == ("Paris.", 2, COUNTED_NANOS)


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_unreachable_servers_cost_nothing(
    serve: Serve, self_signed: ssl.SSLContext, is_streamed: bool
) -> None:
    async def never(request: web.Request) -> web.Response:
        raise AssertionError

    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        for url, attempts in (
            (f"http://127.0.0.1:{closed.getsockname()[1]}", 3),
            ("https://nowhere.invalid", 3),
            (await serve(never, tls=self_signed), 1),
            ("http://10.0.0.1", 1),
        ):
            caller = Caller()
            answer, _ = await caller.ask(url, is_streamed=is_streamed)
            assert isinstance(answer.outcome, CallFailed)
            assert caller.desk.ledger.ends == [("network", 0)] * attempts, url


async def test_a_connection_that_is_never_accepted_costs_nothing(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_pool, "CONNECT_TIMEOUT_SECONDS", 0.05)
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(busy.getsockname())
        answer, _ = await caller.ask(f"http://127.0.0.1:{busy.getsockname()[1]}")
        for each in waiting:
            each.close()
    assert isinstance(answer.outcome, CallFailed)
    assert caller.desk.ledger.ends == [("timeout", 0)] * 3


async def test_a_timeout_is_charged_the_worst_case(server: ScriptedServer, caller: Caller) -> None:
    server.script(Silence())
    answer, _ = await caller.ask(server.url, timeout_seconds=0.1)
    assert isinstance(answer.outcome, CallFailed)
    assert caller.desk.ledger.ends == [("timeout", WORST_NANOS)] * 3


HALF = openai.chunk({"content": "Paris"})


@pytest.mark.parametrize(
    ("reply", "reason", "attempts"),
    [
        (Stream(pieces=[HALF], then="reset"), "network", 3),
        (Stream(pieces=[HALF]), "network", 3),
        (Stream(pieces=[HALF, b"data: {oops\n\n"]), "malformed_response", 1),
        (Stream(pieces=[HALF, openai.chunk(usage=openai.USAGE)]), "network", 3),
        (
            Stream(pieces=[HALF, b'data: {"error": {"message": "died", "code": 500}}\n\n']),
            "provider",
            3,
        ),
    ],
)
async def test_a_broken_stream_is_charged_the_worst_case(
    server: ScriptedServer, caller: Caller, reply: Stream, reason: str, attempts: int
) -> None:
    server.script(reply)
    answer, shown = await caller.ask(server.url, is_streamed=True)
    assert isinstance(answer.outcome, CallFailed)
    is_counted = len(reply.pieces) == 2 and b"prompt_tokens" in reply.pieces[1]
    nanos = COUNTED_NANOS if is_counted else WORST_NANOS
    assert caller.desk.ledger.ends == [(reason, nanos)] * attempts
    assert shown == "Paris" * attempts


async def test_a_slow_stream_ends_at_the_deadline_and_is_charged_the_worst_case(
    server: ScriptedServer, caller: Caller
) -> None:
    server.script(Stream(pieces=[HALF], then="drip"), openai.error(401))
    answer, shown = await caller.ask(server.url, is_streamed=True, timeout_seconds=0.3)
    assert isinstance(answer.outcome, CallFailed)
    assert shown.startswith("Paris")
    (timed_out, nanos), refused = caller.desk.ledger.ends
    assert (timed_out, refused) == ("timeout", ("invalid_key", 0))
    assert nanos is not None
    assert nanos >= WORST_NANOS
