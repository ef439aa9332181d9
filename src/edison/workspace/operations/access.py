"""What the routes of this slice get from the running application."""

from typing import Annotated

from fastapi import Depends, Request

from edison.jobs.job import Queue
from edison.jobs.recorder import Recorder


async def get_queue(request: Request) -> Queue:
    queue: Queue = request.app.state.queue
    return queue


async def get_recorder(request: Request) -> Recorder:
    recorder: Recorder = request.app.state.recorder
    return recorder


CurrentQueue = Annotated[Queue, Depends(get_queue)]
CurrentRecorder = Annotated[Recorder, Depends(get_recorder)]
