"""Application factory: settings in, an ASGI application out."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager

import structlog
from fastapi import FastAPI
from starlette.routing import Route

from edison import __version__
from edison.api.body_complexity import ANONYMOUS_PATHS, MOST_ANONYMOUS_BYTES, PLAN_PATHS
from edison.api.policy import guarded_routes
from edison.api.streams.limits import StreamLimits
from edison.api.streams.response import closing_streams_on_signal
from edison.app.call_metrics import CallMetrics
from edison.app.errors import install_error_handlers
from edison.app.evaluation_events import sending_evaluations
from edison.app.hooks import install_hooks
from edison.app.housekeeping import cleaning_up
from edison.app.logs import configure_logs
from edison.app.mcp_endpoint import PATH as MCP_PATH
from edison.app.mcp_endpoint import McpEndpoint
from edison.app.middleware.body_limit import BodyLimit
from edison.app.middleware.body_timeout import BodyTimeout
from edison.app.middleware.host_check import HostCheck
from edison.app.middleware.proxies import TrustedProxies
from edison.app.middleware.rate_limit import RateLimit
from edison.app.middleware.request_log import RequestLog
from edison.app.middleware.security_headers import SecurityHeaders
from edison.app.observability import unwatch_pool, watch_pool
from edison.app.openapi import install_openapi
from edison.app.pages import install_pages
from edison.app.routers import all_routes
from edison.app.run_tasks import TaskTools
from edison.app.sealed_secrets import keep_lost_keys_lost
from edison.app.tracing import Tracing, start_tracing
from edison.app.work import running_jobs
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.exchange.endpoints import UPLOAD_PATH as IMPORT_PATH
from edison.jobs.lifecycle import process_lifecycle
from edison.library.calls.gateway import Gateway
from edison.library.datasets.endpoints.files import UPLOAD_PATH
from edison.runs.results import cache
from edison.runs.store.live_text import LiveTexts
from edison.settings import Settings, load_settings
from edison.workspace.accounts.registration import usual_mode
from edison.workspace.accounts.signing_keys import load_keys
from edison.workspace.accounts.single_sign_on.service import choose_provider
from edison.workspace.credentials.vault import open_vault
from edison.workspace.live.service import Live

log = structlog.get_logger(__name__)


def create_app(settings: Settings) -> FastAPI:
    """Builds the application. Raises UnguardedRoute when a route has no access policy."""
    configure_logs(settings)
    install_hooks()
    tracing = start_tracing(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.signing_keys = load_keys(settings)
        log.info(
            "who may register", setting=settings.registration, effective=usual_mode(settings).value
        )
        async with _databases(settings, tracing) as databases:
            await keep_lost_keys_lost(databases[0], settings)
            app.state.vault = open_vault(settings)
            async with _serving(app, *databases, tracing=tracing):
                yield
        await tracing.close()

    app = FastAPI(
        title="Edison",
        version=__version__,
        summary="A self-hosted prompt-engineering workbench.",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry=tracing.for_requests(),
    )
    app.state.settings = settings
    app.state.started_engine = None
    app.state.identity_provider = choose_provider(settings)
    app.router.routes.extend(all_routes())
    routes = guarded_routes(app)
    install_error_handlers(app)
    install_openapi(app, routes)
    app.state.mcp = McpEndpoint(app)
    app.router.routes.append(Route(MCP_PATH, app.state.mcp))
    install_pages(app)
    _add_middleware(app, settings, routes={route.name: route.path for route in routes})
    return app


def _add_middleware(app: FastAPI, settings: Settings, *, routes: Mapping[str, str]) -> None:
    # The last middleware added is the outermost.
    app.add_middleware(
        BodyLimit,
        max_bytes=settings.max_body_bytes,
        exceptions={
            UPLOAD_PATH: settings.import_max_bytes,
            IMPORT_PATH: settings.bundle_max_bytes,
            PLAN_PATHS: settings.import_max_bytes,
            ANONYMOUS_PATHS: min(MOST_ANONYMOUS_BYTES, settings.max_body_bytes),
        },
    )
    app.add_middleware(
        RateLimit,
        strangers=settings.requests_per_minute,
        signed_in=settings.requests_per_minute_signed_in,
    )
    app.add_middleware(BodyTimeout)
    app.add_middleware(HostCheck, settings=settings)
    app.add_middleware(RequestLog, routes=routes)
    app.add_middleware(SecurityHeaders)
    if settings.trusted_proxies:
        app.add_middleware(TrustedProxies, trusted=settings.trusted_proxies)


@asynccontextmanager
async def _serving(
    app: FastAPI, database: Database, background: Database, *, tracing: Tracing
) -> AsyncIterator[None]:
    """Application state for requests, and background work of the server."""
    settings: Settings = app.state.settings
    observer = CallMetrics(tracing.provider)
    app.state.database = database
    app.state.background_database = background
    background.listen()
    async with process_lifecycle(
        background, kind="server", silence_seconds=settings.worker_silence_seconds
    ) as batch_writer:
        app.state.batch_writer = batch_writer
        app.state.gateway = gateway = Gateway(
            background,
            batch_writer=batch_writer,
            vault=app.state.vault,
            observer=observer,
            settings=settings,
        )
        app.state.stream_limits = StreamLimits(per_person=settings.streams_per_person)
        app.state.live = live = Live(background, app.state.stream_limits)
        app.state.live_texts = LiveTexts(database.broadcasts, database.wakeups)
        tools = TaskTools(
            database=background,
            gateway=gateway,
            batch_writer=batch_writer,
            vault=app.state.vault,
            settings=settings,
        )
        async with (
            cleaning_up(background),
            aclosing(app.state.mcp),
            sending_evaluations(tracing, tools, observer, is_explained=settings.otel_explanations),
        ):
            async with running_jobs(
                tools, sweep_seconds=settings.sweep_seconds, engine=app.state.started_engine
            ) as work:
                app.state.queue, app.state.engine = work.queue, work.engine
                with closing_streams_on_signal(database.wakeups):
                    yield
            database.wakeups.close()
            await live.close()
            await cache.wait_for_renewals()
        await gateway.close()


@asynccontextmanager
async def _databases(
    settings: Settings, tracing: Tracing
) -> AsyncIterator[tuple[Database, Database]]:
    """One connection pool for requests and one for background work, so that runs continue however
    many requests wait for a connection.
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
        unwatch_pool(database.engine)


def create_configured_app() -> FastAPI:
    """For servers that import the application factory by name."""
    return create_app(load_settings())
