"""Checks of `edison doctor`. Each finding says how to fix it."""

import os
import shutil
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import SecretStr

from edison.app import pages, sealed_secrets
from edison.app.provider_checks import check_providers
from edison.db import migrate
from edison.db.engine import open_engine
from edison.db.failures import explain
from edison.db.session import Database
from edison.kit.errors import EdisonError
from edison.kit.lazy_dataclasses import dataclass
from edison.settings import CONFIG_VARIABLE, Settings
from edison.workspace.accounts import signing_keys

LITTLE_DISK_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    subject: str
    verdict: Literal["ok", "warning", "problem"]
    message: str
    fix: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveValue:
    """A setting and its source; secrets are masked."""

    name: str
    value: str
    source: str


def effective_values(
    settings: Settings, *, file: Path, options: frozenset[str]
) -> list[EffectiveValue]:
    """Every setting; `options` are the names of those given on the command line."""
    in_file = tomllib.loads(file.read_text()) if file.is_file() else {}
    values = []
    for name in Settings.model_fields:
        variable = f"EDISON_{name.upper()}"
        if name in options:
            source = "command line"
        elif variable in os.environ:
            source = variable
        elif name in in_file:
            source = str(file)
        else:
            source = "default"
        values.append(
            EffectiveValue(name=name, value=_shown(getattr(settings, name)), source=source)
        )
    return values


def _shown(value: Any) -> str:
    if isinstance(value, SecretStr):
        return "••••••••"
    if value is None or value == ():
        return "-"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


async def examine(settings: Settings) -> list[CheckResult]:
    return [
        *_unknown_variables(),
        _data_directory(settings),
        _disk(settings),
        *await _database(settings),
        _keys(settings),
        _front_end(),
    ]


def _unknown_variables() -> Iterator[CheckResult]:
    known = {f"EDISON_{name.upper()}" for name in Settings.model_fields} | {CONFIG_VARIABLE}
    for variable in sorted(os.environ):
        if variable.startswith("EDISON_") and variable not in known:
            yield CheckResult(
                subject="environment",
                verdict="warning",
                message=f"Unknown setting {variable}.",
                fix="Check its spelling against docs/settings.md, or unset it.",
            )


def _data_directory(settings: Settings) -> CheckResult:
    folder = settings.data_dir
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(nearest, os.W_OK | os.X_OK) or not nearest.is_dir():
        return CheckResult(
            subject="data directory",
            verdict="problem",
            message=f"{nearest} is not writable.",
            fix="Change its owner, or set another with --data-dir or EDISON_DATA_DIR.",
        )
    state = "is writable" if folder.exists() else "will be created on the first start"
    return CheckResult(subject="data directory", verdict="ok", message=f"{folder} {state}.")


def _disk(settings: Settings) -> CheckResult:
    nearest = next(
        path for path in (settings.data_dir, *settings.data_dir.parents) if path.exists()
    )
    free = shutil.disk_usage(nearest).free
    if free < LITTLE_DISK_BYTES:
        return CheckResult(
            subject="disk space",
            verdict="warning",
            message=f"Only {free / 1e6:,.0f} MB free.",
            fix="Free some space or move the data directory; runs store every answer.",
        )
    return CheckResult(subject="disk space", verdict="ok", message=f"{free / 1e9:,.1f} GB free.")


async def _database(settings: Settings) -> list[CheckResult]:
    if settings.sqlite_path is not None and not settings.sqlite_path.exists():
        message = "Not created yet; the first start creates it."
        return [CheckResult(subject="database", verdict="ok", message=message)]
    try:
        state = await _read_state(settings)
    except EdisonError as refusal:
        return [
            CheckResult(
                subject="migrations",
                verdict="problem",
                message=refusal.message,
                fix="Install the version that wrote it, or restore a backup made with this one.",
            )
        ]
    except Exception as error:
        # Any driver error is reported; the other checks still run.
        message = explain(error) or f"It does not answer ({type(error).__name__})."
        fix = "Check EDISON_DATABASE_URL and that the database server is running."
        return [
            CheckResult(
                subject="database",
                verdict="problem",
                message=message,
                fix=None if settings.is_embedded else fix,
            )
        ]
    keys = await _sealing_keys(settings, state)
    is_readable = bool(keys) and all(each.verdict == "ok" for each in keys)
    return [
        *_schema(settings, state),
        *keys,
        *(await _providers(settings) if is_readable else ()),
    ]


async def _read_state(settings: Settings) -> migrate.SchemaState:
    engine = open_engine(settings.resolved_database_url, pooled=False)
    try:
        return await migrate.read_state(engine)
    finally:
        await engine.dispose()


def _schema(settings: Settings, state: migrate.SchemaState) -> list[CheckResult]:
    kind = "SQLite" if settings.is_embedded else "PostgreSQL"
    findings = [CheckResult(subject="database", verdict="ok", message=f"{kind} is reachable.")]
    if state.is_current:
        findings.append(
            CheckResult(
                subject="migrations", verdict="ok", message=f"Schema {state.newest}, up to date."
            )
        )
    else:
        findings.append(
            CheckResult(
                subject="migrations",
                verdict="warning",
                message=f"Schema {state.current or 'none'}; this version needs {state.newest}.",
                fix="Run `edison db upgrade`.",
            )
        )
    return findings


async def _sealing_keys(settings: Settings, state: migrate.SchemaState) -> list[CheckResult]:
    """Whether every stored secret can be decrypted."""
    subject = "sealing keys"
    if not state.is_current:
        return []
    engine = open_engine(settings.resolved_database_url, pooled=False)
    database = Database(engine)
    try:
        async with database.read() as session:
            await sealed_secrets.require_keys(session, settings)
    except EdisonError as missing:
        message, _, fix = missing.message.partition(": ")
        fix = fix or "Restore it from a backup."
        return [CheckResult(subject=subject, verdict="problem", message=f"{message}.", fix=fix)]
    finally:
        await database.close()
    message = "All stored secrets can be decrypted."
    return [CheckResult(subject=subject, verdict="ok", message=message)]


async def _providers(settings: Settings) -> list[CheckResult]:
    """A provider that refuses is no fault of this installation, so it is a warning."""
    database = Database(open_engine(settings.resolved_database_url, pooled=False))
    try:
        checked = await check_providers(database, settings)
    finally:
        await database.close()
    return [
        CheckResult(
            subject=f"{each.title}, “{each.label}” of {each.project}",
            verdict="ok" if each.trouble is None else "warning",
            message=each.trouble or "Answers, and accepts the key.",
            fix=None if each.trouble is None else "Check the key and the address.",
        )
        for each in checked
    ]


def _keys(settings: Settings) -> CheckResult:
    if settings.jwt_private_key is not None:
        try:
            signing_keys.load_keys(settings)
        except signing_keys.BrokenSigningKey:
            return CheckResult(
                subject="keys",
                verdict="problem",
                message="EDISON_JWT_PRIVATE_KEY is not an RSA private key in PEM form.",
                fix="Create one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048",
            )
        return CheckResult(subject="keys", verdict="ok", message="Set by EDISON_JWT_PRIVATE_KEY.")
    files = sorted(signing_keys.keys_folder(settings).glob("*.pem"))
    if not files:
        message = "Not created yet; the first start creates one."
        return CheckResult(subject="keys", verdict="ok", message=message)
    try:
        signing_keys.load_keys(settings)
    except signing_keys.BrokenSigningKey as broken:
        fix = "Restore it from a backup, or remove it."
        return CheckResult(subject="keys", verdict="problem", message=broken.message, fix=fix)
    exposed = [file for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077]
    if exposed:
        return CheckResult(
            subject="keys",
            verdict="problem",
            message=f"{exposed[0]} is readable by other users.",
            fix=f"Run: chmod 600 {exposed[0]} and then `edison keys rotate`.",
        )
    return CheckResult(subject="keys", verdict="ok", message=f"{len(files)} in {files[0].parent}.")


def _front_end() -> CheckResult:
    if not pages.is_built():
        return CheckResult(
            subject="front end",
            verdict="problem",
            message="This installation has no front end.",
            fix="Install the wheel, or run `make build` in a checkout.",
        )
    return CheckResult(subject="front end", verdict="ok", message="Built and installed.")
