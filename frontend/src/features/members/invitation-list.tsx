import { useInfiniteQuery } from "@tanstack/react-query";
import { Link2, Mail, MailX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Invitation } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { RoleBadge } from "@/components/role-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { invitationsQuery, memberFamilies } from "./queries";

function Recipient({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const Icon = invitation.email ? Mail : Link2;
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-left">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-subtle" />
      <span className="grid min-w-0">
        <span className="truncate font-medium">
          {invitation.email ?? t("members.invitations.anyone")}
        </span>
        {invitation.invited_by ? (
          <span className="truncate text-xs text-ink-muted">
            {t("members.invitations.by", { email: invitation.invited_by })}
          </span>
        ) : null}
      </span>
    </span>
  );
}

function RevokeButton({ slug, invitation }: { slug: string; invitation: Invitation }) {
  const { t } = useTranslation();
  const revoke = useChange(
    "delete",
    "/projects/{project}/invitations/{invitation_id}",
    { project: slug, invitation_id: invitation.id },
    memberFamilies(slug),
  );
  const who = invitation.email ?? t("members.invitations.anyone");
  return (
    <Button
      variant="ghost"
      size="sm"
      loading={revoke.isPending}
      aria-label={t("members.invitations.revokeFor", { name: who })}
      onClick={() =>
        revoke.mutate(undefined, {
          onSuccess: () => toast.success(t("members.invitations.revoked")),
          onError: (error) => toast.error(problemMessage(error)),
        })
      }
    >
      {t("members.invitations.revoke")}
    </Button>
  );
}

export function InvitationList({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const invitations = useInfiniteQuery(invitationsQuery(slug));
  if (invitations.isPending) {
    return <TableSkeleton rows={2} />;
  }
  if (invitations.isError) {
    return <ProblemState error={invitations.error} onRetry={() => void invitations.refetch()} />;
  }
  const open = invitations.data.items.filter((invitation) => invitation.status !== "accepted");
  if (open.length === 0) {
    return (
      <EmptyState
        icon={<MailX />}
        title={t("members.invitations.none")}
        description={t("members.invitations.noneHint")}
      />
    );
  }
  const columns: Column<Invitation>[] = [
    {
      key: "recipient",
      primary: true,
      header: t("members.invitations.recipient"),
      cell: (invitation) => <Recipient invitation={invitation} />,
      className: "lg:w-1/2",
    },
    {
      key: "role",
      header: t("fields.role"),
      cell: (invitation) => <RoleBadge role={invitation.role} />,
    },
    {
      key: "expires",
      header: t("fields.expires"),
      cell: (invitation) =>
        invitation.status === "expired" ? (
          <Badge tone="warning">{t("members.invitations.expired")}</Badge>
        ) : (
          <RelativeTime iso={invitation.expires_at} className="text-ink-muted" />
        ),
    },
    {
      key: "actions",
      header: t("ui.actions"),
      hideHeader: true,
      align: "right",
      cell: (invitation) => <RevokeButton slug={slug} invitation={invitation} />,
    },
  ];
  return (
    <Table
      caption={t("members.invitations.title")}
      columns={columns}
      rows={open}
      rowKey={(invitation) => invitation.id}
    />
  );
}
