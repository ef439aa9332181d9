"""Calls of waves that are awaited one by one, for callers whose next step depends on the answer."""

import asyncio

from edison.jobs.batch_writer import BatchWriter
from edison.kit.wake import wake_in_groups
from edison.library.calls.wave import CallWave, WaveCall
from edison.pipeline.generate.call import Parameters
from edison.pipeline.generate.path.question import Answer, CallListener
from edison.pipeline.render.prompt import RenderedPrompt


class AwaitedCalls:
    """Owns any number of waves. Each call takes the same steps as `Gateway.answer`, with fewer
    writes. The caller of an answered call goes on after the next flush: the calls that take the
    slots of ended ones are sent first. After a failure it goes on at once.
    """

    def __init__(self, batch_writer: BatchWriter) -> None:
        self._batch_writer = batch_writer
        self._started: dict[WaveCall, asyncio.Future[None]] = {}
        self._ended: list[WaveCall] = []
        self._resuming: asyncio.Task[None] | None = None

    async def answer(
        self,
        wave: CallWave,
        prompt: RenderedPrompt,
        parameters: Parameters,
        listener: CallListener,
    ) -> Answer:
        """Raises why the call or its reservation was refused."""
        call = await wave.prepare(prompt, parameters, listener)
        cached = await wave.find_one_cached(call)
        if cached is not None:
            return cached
        await self._make(wave, call)
        if call.broken is not None:
            raise call.broken
        if call.answer is None:
            return await wave.resume(call, listener)
        await wave.learn(call, call.answer)
        return call.answer

    async def _make(self, wave: CallWave, call: WaveCall) -> None:
        """Makes the first attempt."""
        ended = self._started[call] = asyncio.get_running_loop().create_future()
        wave.start(call)
        try:
            await ended
        finally:
            if self._started.pop(call, None) is not None:
                # The caller was cancelled.
                wave.cancel(call)

    # The waves call these.

    def ended(self, call: WaveCall) -> None:
        if call.answer is None:
            self._resume(call)
            return
        self._ended.append(call)
        if self._resuming is None:
            self._resuming = asyncio.create_task(self._resume_callers())

    def given_back(self, call: WaveCall, refusal: BaseException | None) -> None:
        if (started := self._take(call)) is None:
            return
        if refusal is None:
            started.cancel()
        else:
            started.set_exception(refusal)

    async def _resume_callers(self) -> None:
        while self._ended:
            await self._batch_writer.after_flush()
            ended, self._ended = self._ended, []
            await wake_in_groups(ended, self._resume)
        self._resuming = None

    def _resume(self, call: WaveCall) -> None:
        if (started := self._take(call)) is None:
            return
        if call.attempt.outcome is None and call.broken is None:
            started.cancel()
        else:
            started.set_result(None)

    def _take(self, call: WaveCall) -> "asyncio.Future[None] | None":
        """None if the caller does not wait any more."""
        started = self._started.pop(call, None)
        return None if started is None or started.done() else started
