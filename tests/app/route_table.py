"""The checked-in table of access policies by route: `route_permissions.txt`.

The permission tests take their expectation from the table, not from the code, so that a route
cannot be opened by accident. After a deliberate change run `make permissions`, and read the diff.
"""

from dataclasses import dataclass
from pathlib import Path

from edison.api.policy import GuardedRoute, guarded_routes
from tests.support.application import APPLICATION

FILE = Path(__file__).with_name("route_permissions.txt")
HEADER = """\
# Who may call each route: method, path, least role, least scope of an access token.
# Role: public, signed_in, or the least role in the project. Token: - if none is needed, browser if
# only a browser session is accepted. Written by `make permissions`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """One line: `role` is `public`, `signed_in` or a project role."""

    method: str
    path: str
    role: str
    token: str

    def __str__(self) -> str:
        return f"{self.method:6} {self.path} {self.role} {self.token}"


def permission_of(route: GuardedRoute) -> Permission:
    policy = route.policy
    role = policy.role if policy.role is not None else policy.kind
    return Permission(
        method=route.method, path=route.path, role=str(role), token=_token(route, str(role))
    )


def _token(route: GuardedRoute, role: str) -> str:
    if role == "public":
        return "-"
    if not route.policy.accepts_tokens:
        return "browser"
    if route.method in ("GET", "HEAD"):
        return "read"
    return "admin" if role in ("ADMIN", "OWNER") else "write"


def read_table() -> dict[tuple[str, str], Permission]:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    permissions = [Permission(**_fields(line)) for line in lines if not line.startswith("#")]
    return {(each.method, each.path): each for each in permissions}


def _fields(line: str) -> dict[str, str]:
    return dict(zip(("method", "path", "role", "token"), line.split(), strict=True))


def current() -> list[Permission]:
    permissions = map(permission_of, guarded_routes(APPLICATION))
    return sorted(permissions, key=lambda each: (each.path, each.method))


if __name__ == "__main__":
    FILE.write_text(HEADER + "".join(f"{each}\n" for each in current()), encoding="utf-8")
