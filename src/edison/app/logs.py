"""Logging: one line per event on standard error, for Edison and its libraries.

JSON for machines, colours for a terminal. Every line has the time in UTC, level, logger, trace id
and user id; `redaction` is the last processor.
"""

import logging
import sys
from typing import Any, TextIO

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from edison.kit import origin
from edison.kit.redaction import redact
from edison.settings import Settings

_MADE_BY_STRUCTLOG = frozenset({"_record", "_from_structlog"})
# Tracebacks keep their line breaks; elsewhere a control character could forge a log line.
_MULTILINE = frozenset({"exception", "stack"})


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to the current `sys.stderr`."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # a stored stream could be closed
        return sys.stderr


def configure_logs(settings: Settings) -> None:
    """Configures structlog and the standard library's logging. Can be called again; the last call
    wins.
    """
    shared: list[Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_origin,
    ]
    # Runs before any handler, so that handlers of libraries get no secrets either.
    last: list[Processor] = [
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        _redact_line,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            *last,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = _Handler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder(), _drop_color, *last],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _renderer(settings),
            ],
        )
    )
    root = logging.getLogger()
    for earlier in [kept for kept in root.handlers if isinstance(kept, _Handler)]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    _choose_levels(logging.getLevelNamesMapping()[settings.log_level.upper()])


def _drop_color(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """uvicorn adds its message a second time, with escape codes."""
    event.pop("color_message", None)
    return event


def _choose_levels(level: int) -> None:
    """Libraries log warnings only: their lower levels contain statements, parameters and
    addresses.
    """
    logging.getLogger().setLevel(max(level, logging.WARNING))
    for name in ("edison", "uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        server = logging.getLogger(name)
        server.handlers.clear()
        server.propagate = True
    # `edison.http` writes a line per request already, with the trace id and without the query.
    logging.getLogger("uvicorn.access").disabled = True


def _renderer(settings: Settings) -> Processor:
    is_console = settings.log_format == "console" or (
        settings.log_format == "auto" and sys.stderr.isatty()
    )
    if is_console:
        return structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    return structlog.processors.JSONRenderer(serializer=_to_json)


def _to_json(event: Any, **_options: Any) -> str:
    return orjson.dumps(event).decode()


def _add_origin(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    source = origin.current()
    if source.trace_id is not None:
        event["trace_id"] = source.trace_id
    if source.user_id is not None:
        event["user_id"] = str(source.user_id)
    return event


def _redact_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    kept = {name: event.pop(name) for name in _MADE_BY_STRUCTLOG if name in event}
    clean: dict[str, Any] = redact(event)
    for name in clean.keys() - _MULTILINE:
        clean[name] = _escape(clean[name])
    return clean | kept


def _escape(value: Any) -> Any:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in value
    )
