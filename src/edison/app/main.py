"""Puts Edison together: settings in, an ASGI application out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from edison import __version__
from edison.api.policy import guarded_routes
from edison.api.sse import closing_streams_on_signal
from edison.api.stream_limits import StreamLimits
from edison.app.call_metrics import CallMetrics
from edison.app.docs_page import install_docs
from edison.app.errors import install_error_handlers
from edison.app.hooks import install_hooks
from edison.app.housekeeping import keep_house
from edison.app.logs import configure_logs
from edison.app.middleware.body_limit import BodyLimit
from edison.app.middleware.rate_limit import RateLimit
from edison.app.middleware.request_log import RequestLog
from edison.app.middleware.security_headers import SecurityHeaders
from edison.app.observability import forget_pool, watch_pool
from edison.app.openapi import install_openapi
from edison.app.pages import install_pages
from edison.app.routers import all_routes
from edison.app.tasks import Tools
from edison.app.tracing import Tracing, start_tracing
from edison.app.work import working
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.jobs.taking_part import taking_part
from edison.library.calls.gateway import Gateway
from edison.library.datasets.endpoints.files import UPLOAD_PATH
from edison.runs.engine.feed import Feeds
from edison.runs.engine.texts import TextBoard
from edison.runs.results import service as results
from edison.settings import Settings, load_settings
from edison.workspace.accounts.signing_keys import load_keys
from edison.workspace.accounts.single_sign_on.service import choose_provider
from edison.workspace.credentials.service import open_vault
from edison.workspace.live.service import Live


def create_app(settings: Settings) -> FastAPI:
    """Build the application. Raises UnguardedRoute when a route does not say who may call it."""
    configure_logs(settings)
    install_hooks()
    tracing = start_tracing(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.signing_keys = load_keys(settings)
        app.state.vault = open_vault(settings)
        async with (
            _databases(settings, tracing) as databases,
            _serving(app, *databases, observer=CallMetrics(tracing.provider)),
        ):
            yield
        await tracing.close()

    app = FastAPI(
        title="Edison",
        version=__version__,
        summary="A self-hosted prompt-engineering workbench.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        telemetry=tracing.for_requests(),
    )
    app.state.settings = settings
    app.state.identity_provider = choose_provider(settings)
    app.router.routes.extend(all_routes())
    routes = guarded_routes(app)
    install_error_handlers(app)
    install_openapi(app, routes)
    install_docs(app)
    install_pages(app)
    # The last one added is the outermost.
    app.add_middleware(
        BodyLimit,
        max_bytes=settings.max_body_bytes,
        exceptions={UPLOAD_PATH: settings.import_max_bytes},
    )
    app.add_middleware(
        RateLimit,
        strangers=settings.requests_per_minute,
        signed_in=settings.requests_per_minute_signed_in,
    )
    app.add_middleware(RequestLog, routes={route.name: route.path for route in routes})
    app.add_middleware(SecurityHeaders)
    return app


@asynccontextmanager
async def _serving(
    app: FastAPI, database: Database, background: Database, *, observer: CallMetrics
) -> AsyncIterator[None]:
    """Everything that requests find in the application's state, and the work beside them."""
    settings: Settings = app.state.settings
    app.state.database = database
    app.state.background_database = background
    background.listen()
    async with taking_part(
        background, kind="server", silence_seconds=settings.worker_silence_seconds
    ) as recorder:
        app.state.recorder = recorder
        app.state.gateway = gateway = Gateway(
            background,
            recorder=recorder,
            vault=app.state.vault,
            observer=observer,
            settings=settings,
        )
        app.state.stream_limits = StreamLimits(per_person=settings.streams_per_person)
        app.state.live = live = Live(background, app.state.stream_limits)
        app.state.run_feeds = Feeds(live, TextBoard(database.broadcasts, database.wakeups))
        housekeeping = asyncio.create_task(keep_house(background))
        async with working(
            Tools(database=background, gateway=gateway, recorder=recorder, settings=settings),
            sweep_seconds=settings.sweep_seconds,
        ) as app.state.queue:
            with closing_streams_on_signal(database.wakeups):
                yield
        database.wakeups.close()
        await live.close()
        await results.settle_renewals()
        housekeeping.cancel()
        await asyncio.wait([housekeeping])
        await gateway.close()


@asynccontextmanager
async def _databases(
    settings: Settings, tracing: Tracing
) -> AsyncIterator[tuple[Database, Database]]:
    """For requests, and for work outside of them: however many requests wait for a connection,
    runs go on.
    """
    kept = max(1, settings.database_connections * 2 // 5)
    sizes = {"background": kept, "requests": settings.database_connections - kept}
    engines = {
        name: open_engine(
            settings.resolved_database_url,
            pool_size=size,
            wait_seconds=settings.database_wait_seconds,
        )
        for name, size in sizes.items()
    }
    for name, engine in engines.items():
        watch_pool(name, engine)
        tracing.watch_database(engine)
    background = Database(engines["background"])
    requests = Database(engines["requests"], beside=background)
    yield requests, background
    for database in (requests, background):
        await database.close()
        forget_pool(database.engine)


def create_configured_app() -> FastAPI:
    """For servers that start the application by name."""
    return create_app(load_settings())
