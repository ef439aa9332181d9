import { UserPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { InvitationList } from "./invitation-list";
import { InviteDialog } from "./invite-dialog";
import { MemberTable } from "./member-table";

export interface MembersPageProps {
  project: Project;
  inviting: boolean;
  onInvitingChanged: (inviting: boolean) => void;
  onLeft: () => void;
}

export function MembersPage({ project, inviting, onInvitingChanged, onLeft }: MembersPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("members.title"), project.name);
  const manages = can(project.role, "members.manage");
  return (
    <div className="grid gap-8">
      <div className="grid gap-5">
        <PageHeader
          title={t("members.title")}
          description={t("members.description")}
          actions={
            manages ? (
              <Button onClick={() => onInvitingChanged(true)}>
                <UserPlus aria-hidden />
                {t("members.invite.action")}
              </Button>
            ) : null
          }
        />
        <MemberTable project={project} onLeft={onLeft} />
      </div>
      {manages ? (
        <section aria-labelledby="invitations-heading" className="grid gap-4">
          <h2 id="invitations-heading" className="text-sm font-semibold">
            {t("members.invitations.title")}
          </h2>
          <InvitationList slug={project.slug} />
          <InviteDialog project={project} open={inviting} onOpenChanged={onInvitingChanged} />
        </section>
      ) : null}
    </div>
  );
}
