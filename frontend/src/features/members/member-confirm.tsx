import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Member, Project } from "@/api/types";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { useChangeRole, useLeaveProject, useRemoveMember, useTransferOwnership } from "./queries";

export interface MemberChange {
  kind: "remove" | "leave" | "transfer" | "promote";
  member: Member;
}

export interface MemberConfirmProps {
  project: Project;
  change: MemberChange | null;
  onClosed: () => void;
  onLeft: () => void;
}

function useMemberChange(project: Project, change: MemberChange | null) {
  const remove = useRemoveMember(project.slug);
  const leave = useLeaveProject(project.slug);
  const transfer = useTransferOwnership(project.slug);
  const promote = useChangeRole(project.slug);
  const mutation = { remove, leave, transfer, promote }[change?.kind ?? "remove"];
  const run = async ({ kind, member }: MemberChange): Promise<void> => {
    switch (kind) {
      case "remove":
        await remove.mutateAsync(member.id);
        break;
      case "leave":
        await leave.mutateAsync(member.id);
        break;
      case "transfer":
        await transfer.mutateAsync(member.id);
        break;
      case "promote":
        await promote.mutateAsync({ memberId: member.id, role: "OWNER" });
        break;
    }
  };
  return { run, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset };
}

/** Changes of membership that cannot be taken back by the one who makes them. */
export function MemberConfirm({ project, change, onClosed, onLeft }: MemberConfirmProps) {
  const { t } = useTranslation();
  const { run, isPending, error, reset } = useMemberChange(project, change);
  if (change === null) {
    return null;
  }
  const { kind, member } = change;
  const name = member.name ?? member.email;
  const words = { name, project: project.name };
  const close = () => {
    reset();
    onClosed();
  };
  const onConfirmed = async () => {
    try {
      await run(change);
    } catch {
      return; // The dialog shows the mutation's error.
    }
    toast.success(t(`members.${kind}.done`, words));
    close();
    if (kind === "leave") {
      onLeft();
    }
  };
  return (
    <ConfirmDialog
      open
      onOpenChanged={close}
      title={t(`members.${kind}.title`, words)}
      description={t(`members.${kind}.body`, words)}
      confirmLabel={t(`members.${kind}.confirm`)}
      tone={kind === "promote" ? "primary" : "danger"}
      {...(kind === "transfer" ? { typed: project.name } : {})}
      loading={isPending}
      error={error === null ? null : problemMessage(error)}
      onConfirmed={() => void onConfirmed()}
    />
  );
}
