"""Schemas of the project, member and invitation endpoints."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    Field,
    WithJsonSchema,
)

from edison.api.schema import Schema, Usd
from edison.kit import clock, money
from edison.kit.lazy_dataclasses import dataclass
from edison.workspace.accounts.models import User
from edison.workspace.accounts.schemas import Email, Password, PersonName, SignedInRead
from edison.workspace.projects.models import (
    Invitation,
    Project,
    ProjectMember,
    ProjectSettings,
    Role,
)
from edison.workspace.projects.names import LONGEST_NAME, check_name
from edison.workspace.resources.schemas import Description, ResourceChange, Status

ProjectName = Annotated[
    str,
    AfterValidator(check_name),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 1,
            "maxLength": LONGEST_NAME,
            "description": "Letters and digits of any script, spaces, hyphens and underscores",
            "examples": ["Support replies"],
        }
    ),
]


ProjectDescription = Annotated[Description, Field(examples=["Prompts for the help desk"])]


class ProjectRequest(Schema):
    name: ProjectName
    description: ProjectDescription = None


class ProjectChange(ResourceChange):
    """Fields left out are not changed."""

    MISSING_NAME = "Give the project a name."

    name: ProjectName | None = None
    description: ProjectDescription = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFilter:
    """Filters of the caller's projects."""

    role: Annotated[Role | None, Field(description="Only where this is your role")] = None
    status: Status = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFigures:
    """What the list says of a project's contents."""

    member_count: int
    experiment_count: int
    changed_at: datetime


class ProjectRead(Schema):
    """A project as seen by a member; `role` is the member's role."""

    id: UUID
    slug: Annotated[str, Field(examples=["support-replies"])]
    name: Annotated[str, Field(examples=["Support replies"])]
    description: str | None
    role: Role
    member_count: int
    experiment_count: int
    is_demo: bool
    requires_two_factor: bool
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    changed_at: Annotated[datetime, Field(description="When something in it was last changed")]

    @classmethod
    def of(cls, row: Project, *, role: Role, figures: ProjectFigures) -> "ProjectRead":
        counted = asdict(figures)
        names = set(cls.model_fields) - {"role", *counted}
        values = {name: getattr(row, name) for name in names}
        return cls(**values, **counted, role=role)


class ProjectDetail(ProjectRead):
    """`GET …/events?after=` with `latest_event` misses nothing that happened since."""

    latest_event: Annotated[int, Field(description="Number of the project's latest event")]


BudgetUsd = Annotated[
    Usd,
    Field(le=10_000),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^\d{1,5}(\.\d{1,9})?$",
            "description": "US dollars, 0 to 10000, exact to a nano-dollar",
            "examples": ["100.00"],
        }
    ),
]


class SettingsValues(Schema):
    """Default settings of the project."""

    default_budget_usd: BudgetUsd
    default_max_iterations: Annotated[int, Field(ge=1, le=100, examples=[10])]
    allow_synthetic_datasets: bool
    require_review_approval: bool
    cost_alert_threshold: Annotated[
        float, Field(ge=0, le=1, description="Share of a budget at which to warn", examples=[0.8])
    ]
    archive_days: Annotated[
        int,
        Field(ge=1, le=3650, description="Runs are archived so long after they end", examples=[60]),
    ]
    retention_days: Annotated[
        int,
        Field(
            ge=0,
            le=3650,
            description="Archived runs are deleted so long after they end; 0 keeps them",
            examples=[90],
        ),
    ]


class SettingsChange(SettingsValues):
    """`version` is the one you read; refused when the settings were saved since."""

    version: Annotated[int, Field(ge=1, lt=2**31)]

    def columns(self) -> dict[str, object]:
        values = self.model_dump(exclude={"version", "default_budget_usd"})
        return {**values, "default_budget_nanos": money.nanos_from_usd(self.default_budget_usd)}


class SettingsRead(SettingsValues):
    version: int
    updated_at: datetime

    @classmethod
    def of(cls, row: ProjectSettings) -> "SettingsRead":
        names = set(cls.model_fields) - {"default_budget_usd"}
        values = {name: getattr(row, name) for name in names}
        return cls(**values, default_budget_usd=money.usd_from_nanos(row.default_budget_nanos))


class MemberRead(Schema):
    id: UUID
    user_id: UUID
    email: str
    name: str | None
    role: Role
    joined_at: datetime
    is_self: bool

    @classmethod
    def of(cls, member: ProjectMember, user: User, *, reader_id: UUID) -> "MemberRead":
        return cls(
            id=member.id,
            user_id=user.id,
            email=user.email,
            name=user.name,
            role=Role(member.role),
            joined_at=member.joined_at,
            is_self=user.id == reader_id,
        )


class TwoFactorRequirement(Schema):
    is_required: bool


class RoleChange(Schema):
    role: Role


class OwnershipTransfer(Schema):
    member_id: UUID


GrantableRole = Literal[Role.VIEWER, Role.REVIEWER, Role.EDITOR, Role.ADMIN]
InvitationStatus = Literal["pending", "accepted", "expired"]


class InvitationRequest(Schema):
    """Without an email, the first person to open the link joins."""

    email: Annotated[Email | None, Field(examples=["grace@example.org"])] = None
    role: GrantableRole
    message: Description = None


class InvitationRead(Schema):
    id: UUID
    email: str | None
    role: Role
    invited_by: str | None
    created_at: datetime
    expires_at: datetime
    status: InvitationStatus

    @classmethod
    def of(cls, row: Invitation, *, invited_by: str | None) -> "InvitationRead":
        return cls(
            id=row.id,
            email=row.email,
            role=Role(row.role),
            invited_by=invited_by,
            created_at=row.created_at,
            expires_at=row.expires_at,
            status=status_of(row),
        )


def status_of(invitation: Invitation) -> InvitationStatus:
    if invitation.accepted_at is not None:
        return "accepted"
    return "expired" if invitation.expires_at <= clock.now() else "pending"


class InvitationResult(Schema):
    """An account with that verified address was added immediately; others need the link."""

    status: Literal["added", "invited"]
    member: MemberRead | None = None
    invitation: InvitationRead | None = None
    link: Annotated[
        str | None, Field(description="Shown this once; Edison keeps only its hash")
    ] = None
    emailed: bool = False


class InvitationPreview(Schema):
    """What the holder of a link can see before accepting."""

    project_name: str
    role: Role
    invited_by: str | None
    email: str | None
    expires_at: datetime
    status: InvitationStatus


class InvitedRegistration(Schema):
    """An account for the holder of the link; `email` defaults to the invited address. `proof` is
    the part that only the mailed link contains.
    """

    proof: Annotated[str | None, Field(max_length=100)] = None
    email: Email | None = None
    password: Annotated[Password, Field(examples=["Analytical-Engine-1843!"])]
    name: PersonName | None = None


class InvitationAcceptance(Schema):
    """`proof` is the part that only the mailed link contains."""

    proof: Annotated[str | None, Field(max_length=100)] = None


class InvitedSignIn(SignedInRead):
    """The signed-in user and the project they joined."""

    project: ProjectRead
