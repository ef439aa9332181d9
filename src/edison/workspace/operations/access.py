"""FastAPI dependencies for the job queue and the batch writer."""

from typing import Annotated

from fastapi import Depends, Request

from edison.jobs.batch_writer import BatchWriter
from edison.jobs.job import Queue


async def get_queue(request: Request) -> Queue:
    queue: Queue = request.app.state.queue
    return queue


async def get_recorder(request: Request) -> BatchWriter:
    batch_writer: BatchWriter = request.app.state.batch_writer
    return batch_writer


CurrentQueue = Annotated[Queue, Depends(get_queue)]
CurrentRecorder = Annotated[BatchWriter, Depends(get_recorder)]
