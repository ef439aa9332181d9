import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { Member, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { memberFamilies } from "./queries";

const MEMBER = "/projects/{project}/members/{member_id}";

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
  const at = { project: project.slug };
  const families = memberFamilies(project.slug);
  const remove = useChange("delete", MEMBER, at, families);
  // Leaving revokes read access: only the list of projects is invalidated.
  const leave = useChange("delete", MEMBER, at, { refresh: [keys.projects] });
  const transfer = useChange("post", "/projects/{project}/ownership", at, families);
  const promote = useChange("patch", MEMBER, at, families);
  const mutation = { remove, leave, transfer, promote }[change?.kind ?? "remove"];
  const run = ({ kind, member: { id } }: MemberChange): Promise<unknown> =>
    ({
      remove: () => remove.mutateAsync({ member_id: id }),
      leave: () => leave.mutateAsync({ member_id: id }),
      transfer: () => transfer.mutateAsync({ body: { member_id: id } }),
      promote: () => promote.mutateAsync({ member_id: id, body: { role: "OWNER" } }),
    })[kind]();
  return { run, isPending: mutation.isPending, error: mutation.error, reset: mutation.reset };
}

/** Confirms membership changes that the user cannot undo. */
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
