"""Puts Edison together: settings in, an ASGI application out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.routing import APIRoute

from edison import __version__
from edison.api.policy import guarded_routes
from edison.app import health
from edison.app.errors import install_error_handlers
from edison.app.hooks import install_hooks
from edison.app.middleware.body_limit import BodyLimit
from edison.app.middleware.rate_limit import RateLimit
from edison.app.middleware.request_log import RequestLog
from edison.app.middleware.security_headers import SecurityHeaders
from edison.app.pages import install_pages
from edison.app.routers import api
from edison.db.engine import open_engine
from edison.db.session import Database
from edison.settings import Settings
from edison.workspace.accounts.signing_keys import load_keys


def create_app(settings: Settings) -> FastAPI:
    """Build the application. Raises UnguardedRoute when a route does not say who may call it."""
    install_hooks()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.database = Database(open_engine(settings.resolved_database_url))
        app.state.signing_keys = load_keys(settings)
        yield
        await app.state.database.close()

    app = FastAPI(
        title="Edison",
        version=__version__,
        summary="A self-hosted prompt-engineering workbench.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_operation_id,
    )
    app.state.settings = settings
    app.include_router(health.router)
    app.include_router(api)
    guarded_routes(app)
    install_error_handlers(app)
    install_pages(app)
    # The last one added is the outermost.
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(
        RateLimit,
        strangers=settings.requests_per_minute,
        signed_in=settings.requests_per_minute_signed_in,
    )
    app.add_middleware(RequestLog)
    app.add_middleware(SecurityHeaders)
    return app


def _operation_id(route: APIRoute) -> str:
    """The handler's name: unique by test, and what a generated client calls its function."""
    return route.name
