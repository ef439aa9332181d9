import { useInfiniteQuery } from "@tanstack/react-query";
import { Crown, LogOut, UserMinus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Member, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { PagedList } from "@/components/listing/paged-list";
import { RoleBadge } from "@/components/role-badge";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { CommandMenu, type Command } from "@/components/ui/command-menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Select } from "@/components/ui/select";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { can, canRemove, grantableRoles, type Role } from "@/lib/permissions";
import { MemberConfirm, type MemberChange } from "./member-confirm";
import { memberFamilies, membersQuery } from "./queries";

interface RowProps {
  project: Project;
  member: Member;
  onChangeRequested: (change: MemberChange) => void;
}

function Person({ member }: { member: Member }) {
  const { t } = useTranslation();
  return (
    <div className="flex min-w-0 items-center gap-3 text-left">
      <Avatar name={member.name ?? null} email={member.email} />
      <div className="grid min-w-0">
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate">{member.name ?? member.email}</span>
          {member.is_self ? <Badge>{t("members.you")}</Badge> : null}
        </span>
        {member.name ? (
          <span className="truncate text-xs text-ink-muted">{member.email}</span>
        ) : null}
      </div>
    </div>
  );
}

function RoleCell({ project, member, onChangeRequested }: RowProps) {
  const { t } = useTranslation();
  const change = useChange(
    "patch",
    "/projects/{project}/members/{member_id}",
    { project: project.slug, member_id: member.id },
    memberFamilies(project.slug),
  );
  const roles = member.is_self ? [] : grantableRoles(project.role, member.role);
  if (roles.length === 0) {
    return <RoleBadge role={member.role} />;
  }
  const onRoleChosen = (role: Role) => {
    if (role === "OWNER") {
      onChangeRequested({ kind: "promote", member });
      return;
    }
    change.mutate(
      { body: { role } },
      {
        onSuccess: () =>
          toast.success(
            t("members.roleChanged", {
              name: member.name ?? member.email,
              role: t(`roles.${role}.name`),
            }),
          ),
        onError: (error) => toast.error(problemMessage(error)),
      },
    );
  };
  return (
    <Select
      size="sm"
      className="w-32"
      aria-label={t("members.roleOf", { name: member.name ?? member.email })}
      value={change.isPending ? change.variables.body.role : member.role}
      disabled={change.isPending}
      options={roles.map((role) => ({
        value: role,
        label: t(`roles.${role}.name`),
        description: t(`roles.${role}.hint`),
      }))}
      onValueChanged={onRoleChosen}
    />
  );
}

function ActionsCell({ project, member, onChangeRequested }: RowProps) {
  const { t } = useTranslation();
  const transfer =
    can(project.role, "ownership.transfer") && !member.is_self && member.role !== "OWNER";
  const remove = !member.is_self && canRemove(project.role, member.role);
  const commands: Command[] = [];
  if (transfer) {
    commands.push({
      icon: Crown,
      label: t("members.transfer.action"),
      onChosen: () => onChangeRequested({ kind: "transfer", member }),
    });
  }
  if (remove) {
    commands.push({
      icon: UserMinus,
      label: t("members.remove.action"),
      isDanger: true,
      onChosen: () => onChangeRequested({ kind: "remove", member }),
    });
  }
  if (member.is_self) {
    commands.push({
      icon: LogOut,
      label: t("members.leave.action"),
      isDanger: true,
      onChosen: () => onChangeRequested({ kind: "leave", member }),
    });
  }
  return (
    <CommandMenu
      label={t("members.actionsFor", { name: member.name ?? member.email })}
      commands={commands}
    />
  );
}

export interface MemberTableProps {
  project: Project;
  onLeft: () => void;
}

export function MemberTable({ project, onLeft }: MemberTableProps) {
  const { t } = useTranslation();
  const members = useInfiniteQuery(membersQuery(project.slug));
  const [change, setChange] = useState<MemberChange | null>(null);
  const columns: Column<Member>[] = [
    {
      key: "person",
      primary: true,
      header: t("members.person"),
      cell: (member) => <Person member={member} />,
      className: "lg:w-1/2",
    },
    {
      key: "role",
      header: t("fields.role"),
      cell: (member) => (
        <RoleCell project={project} member={member} onChangeRequested={setChange} />
      ),
    },
    {
      key: "joined",
      header: t("members.joined"),
      cell: (member) => <RelativeTime iso={member.joined_at} className="text-ink-muted" />,
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (member) => (
        <ActionsCell project={project} member={member} onChangeRequested={setChange} />
      ),
    },
  ];
  return (
    <>
      <PagedList query={members} empty={null} skeleton={<TableSkeleton rows={4} />}>
        {(items) => (
          <Table
            caption={t("members.title")}
            columns={columns}
            rows={items}
            rowKey={(member) => member.id}
          />
        )}
      </PagedList>
      <MemberConfirm
        project={project}
        change={change}
        onClosed={() => setChange(null)}
        onLeft={onLeft}
      />
    </>
  );
}
