"""One typed settings object: built-in defaults, then a TOML file, then `EDISON_*` variables.

Read once at start and passed down as arguments.
"""

import os
import re
import socket
import sys
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field, SecretStr, ValidationInfo, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from edison.kit.credential_variables import VENDOR_VARIABLES, Variables, read_variables

CONFIG_VARIABLE = "EDISON_CONFIG"
# The port in `user:password@host:port/name`; the password may contain any character.
_PORT_IN_URL = re.compile(r"(?:.*@)?(?:\[[^\]]*\]|[^:/?@\[]*):([^/?@]*)(?:[/?]|$)", re.DOTALL)


def default_data_dir() -> Path:
    return Path.home() / ".local" / "share" / "edison"


class Settings(BaseSettings):
    """Every field is an environment variable `EDISON_<NAME>` and a key of the TOML file."""

    model_config = SettingsConfigDict(
        env_prefix="EDISON_",
        extra="forbid",
        frozen=True,
        validate_default=True,
        validate_by_name=True,
    )

    data_dir: Path = Field(default_factory=default_data_dir, description="Where Edison keeps files")
    database_url: SecretStr | None = Field(
        default=None, description="postgresql://… or sqlite:///…; default: SQLite in the data dir"
    )
    database_connections: int = Field(
        default=20,
        ge=2,
        le=500,
        description="Most connections a process opens to the database; the server keeps two in "
        "five of them for work outside of requests",
    )
    database_wait_seconds: float = Field(
        default=30,
        ge=0.1,
        le=300,
        description="How long a request waits for a connection, or for its turn to write to "
        "SQLite, before it is answered 503",
    )
    engine: Literal["process", "inline"] = Field(
        default="process",
        description="Where runs are executed on SQLite: in a process that the server starts, so "
        "that pages stay quick, or in the server itself (always so on Windows)",
    )
    host: str = Field(default="127.0.0.1", description="Address to listen on")
    port: int = Field(
        default=8000,
        ge=0,
        le=65535,
        description="Port; without this setting the next free one if 8000 is taken",
    )
    public_url: str | None = Field(
        default=None, description="How browsers reach Edison, for links in invitations and OIDC"
    )
    allowed_hosts: tuple[str, ...] = Field(
        default=(),
        description="More host names that requests may be for, besides those of the public URL, "
        "the address listened on and this machine's loopback; a leading dot admits subdomains",
    )
    trusted_proxies: tuple[str, ...] = Field(
        default=(), description="Proxy addresses whose X-Forwarded-* headers are trusted"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="The least important lines to log"
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="auto: console on a terminal, JSON elsewhere"
    )

    registration: Literal["open", "invited", "auto"] = Field(
        default="auto",
        description="Who may create an account: anyone, invited users only, or auto: anyone on "
        "the local machine and the first user elsewhere",
    )
    terms_url: str | None = Field(
        default=None, description="URL of terms that new users must accept"
    )
    jwt_private_key: SecretStr | None = Field(
        default=None, description="RSA key in PEM that signs sessions; default: made in data dir"
    )
    sealing_private_key: SecretStr | None = Field(
        default=None,
        description="X25519 key in base64 that opens stored secrets, or several separated by "
        "commas, of which the last one seals; default: made in data dir",
    )
    allow_private_addresses: bool = Field(
        default=False,
        description="Let credentials and destinations reach servers in private networks; "
        "credentials reach this machine on SQLite anyway",
    )
    credential_variables: str | None = Field(
        default=None,
        description="Environment variables that credentials may name, separated by spaces: NAME of "
        "a known vendor, or NAME=host,host; default: the known vendors' keys, each to its hosts",
    )
    call_timeout_seconds: float = Field(
        default=60,
        ge=1,
        le=3600,
        description="How long one attempt to call a model may take, where neither the model nor "
        "its credential sets a timeout",
    )
    calls_per_credential: int = Field(
        default=8,
        ge=1,
        le=1000,
        description="Concurrent calls per credential that sets no limit itself, in all processes "
        "together; fewer while a provider is overloaded",
    )
    worker_silence_seconds: float = Field(
        default=12,
        ge=6,
        le=600,
        description="After how long without a sign of life others take over a process's work",
    )
    sweep_seconds: float = Field(
        default=5, ge=0.01, le=60, description="How often missing work is looked for"
    )
    scheduling: bool = Field(
        default=True, description="Whether monitors check on schedule; off, only when asked to"
    )
    checks_at_once: int = Field(
        default=4,
        ge=1,
        le=1000,
        description="Checks of monitors in progress at once, in all processes together",
    )
    session_days: int = Field(default=7, ge=1, le=365, description="How long a session lasts")
    session_days_remembered: int = Field(
        default=30, ge=1, le=365, description='The same with "remember me"'
    )
    requests_per_minute: int = Field(
        default=100, ge=1, description="Limit per address for callers who are not signed in"
    )
    requests_per_minute_signed_in: int = Field(
        default=1200, ge=1, description="Limit per signed-in session or token"
    )
    streams_per_person: int = Field(
        default=50, ge=1, description="Maximum open event streams per user and server process"
    )
    login_attempts: int = Field(
        default=5, ge=1, description="Sign-in or registration attempts per address in 15 minutes"
    )
    max_body_bytes: int = Field(default=1_048_576, ge=1024, description="Largest request body")
    import_max_bytes: int = Field(
        default=10_485_760, ge=1024, le=1_000_000_000, description="Largest file of cases to import"
    )
    import_max_rows: int = Field(
        default=10_000, ge=1, le=100_000, description="Most rows such a file may have"
    )
    bundle_max_bytes: int = Field(
        default=52_428_800, ge=1024, le=1_000_000_000, description="Largest bundle to import"
    )
    metrics_token: SecretStr | None = Field(
        default=None,
        description="Bearer token for /metrics; without it only this machine may read, never "
        "through a proxy",
    )

    smtp_host: str | None = Field(default=None, description="Mail server; none sends no mail")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Port of the mail server")
    smtp_user: str | None = Field(default=None, description="Account at the mail server")
    smtp_password: SecretStr | None = Field(default=None, description="Its password")
    smtp_from: str = Field(default="edison@localhost", description="Sender of mails")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection to the mail server is encrypted"
    )

    oidc_issuer: str | None = Field(
        default=None, description="https://accounts.google.com, https://github.com, any OpenID URL"
    )
    oidc_client_id: str | None = Field(default=None, description="Given by the issuer")
    oidc_client_secret: SecretStr | None = Field(default=None, description="Given by the issuer")
    oidc_name: str = Field(default="single sign-on", description="Name on the sign-in button")

    otel_endpoint: str | None = Field(
        default=None,
        validation_alias=AliasChoices("EDISON_OTEL_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
        description="OTLP/HTTP collector, e.g. http://localhost:4318; also by its standard name",
    )
    otel_explanations: bool = Field(
        default=False,
        description="Send reasons of scores to the collector; they can quote prompts and answers",
    )

    @field_validator("data_dir", mode="after")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator("database_url", mode="after")
    @classmethod
    def _database_address(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        scheme, _, rest = value.get_secret_value().partition("://")
        if scheme.split("+")[0] not in ("postgresql", "postgres", "sqlite") or not rest:
            raise ValueError("must start with postgresql:// or sqlite:///")
        port = _PORT_IN_URL.match(rest)
        if port and not (port[1].isdecimal() and int(port[1]) <= 65535):
            raise ValueError("has a port that is not a number between 0 and 65535")
        return value

    @field_validator("public_url", "oidc_issuer", "otel_endpoint", mode="after")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/") if value else None

    @field_validator("credential_variables", mode="after")
    @classmethod
    def _known_variables(cls, value: str | None) -> str | None:
        if value is not None:
            read_variables(value)
        return value

    @field_validator("oidc_client_id", "oidc_client_secret", mode="after")
    @classmethod
    def _complete_oidc(cls, value: Any, info: ValidationInfo) -> Any:
        issuer = info.data.get("oidc_issuer")
        needs_secret = issuer == "https://github.com"
        if value is None and issuer and (info.field_name == "oidc_client_id" or needs_secret):
            raise ValueError("is needed together with oidc_issuer")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)

    @cached_property
    def resolved_database_url(self) -> str:
        """The URL with the name of SQLAlchemy's async driver."""
        if self.database_url is None:
            return f"sqlite+aiosqlite:///{self.data_dir / 'edison.db'}"
        url = self.database_url.get_secret_value()
        for prefix in ("postgresql+asyncpg://", "postgresql://", "postgres://"):
            if url.startswith(prefix):
                return "postgresql+asyncpg://" + url.removeprefix(prefix)
        return "sqlite+aiosqlite" + url[url.index("://") :] if url.startswith("sqlite") else url

    @cached_property
    def sqlite_path(self) -> Path | None:
        """The database file; None on PostgreSQL and for a database in memory."""
        if not self.is_embedded:
            return None
        name = self.resolved_database_url.partition(":///")[2].partition("?")[0]
        return Path(name).absolute() if name and name != ":memory:" else None

    @property
    def has_engine_process(self) -> bool:
        """Whether the server starts a process that runs the jobs. A database in memory cannot be
        shared; on PostgreSQL there are workers.
        """
        is_possible = self.sqlite_path is not None and sys.platform != "win32"
        return is_possible and self.engine == "process"

    @property
    def site_url(self) -> str:
        """Base URL for links in mails and invitations; never taken from a request."""
        if self.public_url is not None:
            return self.public_url
        host = socket.gethostname() if self.listens_everywhere else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def listens_everywhere(self) -> bool:
        return self.host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not listened on

    @property
    def allowed_variables(self) -> Variables:
        """The environment variables that credentials may name, each with its hosts."""
        if self.credential_variables is None:
            return VENDOR_VARIABLES
        return read_variables(self.credential_variables)

    @property
    def is_embedded(self) -> bool:
        """Whether the database is SQLite: one server serves, runs jobs and upgrades the schema."""
        return self.resolved_database_url.startswith("sqlite")


def config_file(data_dir: Path | None = None) -> Path:
    """`EDISON_CONFIG`, or `edison.toml` in the data directory."""
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    return Settings(**given).data_dir / "edison.toml"


def load_settings(*, config: Path | None = None, data_dir: Path | None = None) -> Settings:
    """Reads the defaults, the file `config` (see `config_file`) and the environment."""
    given: dict[str, Any] = {} if data_dir is None else {"data_dir": data_dir}
    file = config or config_file(data_dir)

    class FileSettings(Settings):
        model_config = SettingsConfigDict(toml_file=file)

    return FileSettings(**given)
