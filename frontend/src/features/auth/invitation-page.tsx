import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Trans, useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { Problem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { meQuery } from "@/api/session";
import type { InvitationPreview } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { RoleBadge } from "@/components/role-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { AuthLayout } from "./auth-layout";
import { invitationPreviewQuery, type InvitationKey } from "./queries";

export interface InvitationPageProps {
  token: string;
  /** Proof contained only in the mailed link. */
  proof: string | null;
  onJoined: (slug: string) => void;
}

function Facts({ invitation }: { invitation: InvitationPreview }) {
  const { t } = useTranslation();
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5 rounded-lg bg-surface p-4 text-sm">
      <dt className="text-ink-muted">{t("auth.invitation.project")}</dt>
      <dd className="text-right font-medium break-words">{invitation.project_name}</dd>
      <dt className="text-ink-muted">{t("fields.role")}</dt>
      <dd className="text-right">
        <RoleBadge role={invitation.role} />
      </dd>
      {invitation.invited_by ? (
        <>
          <dt className="text-ink-muted">{t("auth.invitation.from")}</dt>
          <dd className="truncate text-right" title={invitation.invited_by}>
            {invitation.invited_by}
          </dd>
        </>
      ) : null}
      <dt className="text-ink-muted">{t("fields.expires")}</dt>
      <dd className="text-right">
        <RelativeTime iso={invitation.expires_at} />
      </dd>
    </dl>
  );
}

function acceptProblem(error: unknown, email: string | null): ReactNode {
  if (error instanceof Problem && error.code === "INVITATION_EMAIL_MISMATCH") {
    return (
      <Trans
        i18nKey="auth.invitation.mismatch"
        values={{ email: email ?? "" }}
        components={{ b: <strong /> }}
      />
    );
  }
  return problemMessage(error);
}

function SignedInActions({
  token,
  proof,
  invitation,
  onJoined,
}: InvitationPageProps & { invitation: InvitationPreview }) {
  const { t } = useTranslation();
  const accept = useChange(
    "post",
    "/invitations/{token}/accept",
    { token, body: { proof } },
    { refresh: [keys.projects] },
  );
  return (
    <>
      {accept.isError ? (
        <Alert tone="danger">{acceptProblem(accept.error, invitation.email ?? null)}</Alert>
      ) : null}
      <Button
        loading={accept.isPending}
        onClick={() =>
          accept.mutate(undefined, {
            onSuccess: (project) => {
              toast.success(t("auth.invitation.joined", { name: project.name }));
              onJoined(project.slug);
            },
          })
        }
      >
        {t("auth.invitation.accept")}
      </Button>
    </>
  );
}

function SignedOutActions({ token, proof }: InvitationKey) {
  const { t } = useTranslation();
  const next = `/invitations/${token}${proof === null ? "" : `#proof=${proof}`}`;
  return (
    <div className="grid gap-2">
      <Button asChild>
        <Link to="/login" search={{ next }}>
          {t("auth.invitation.signIn")}
        </Link>
      </Button>
      <Button asChild variant="secondary">
        <Link
          to="/register"
          search={{ next, invitation: token, ...(proof === null ? {} : { proof }) }}
        >
          {t("auth.invitation.register")}
        </Link>
      </Button>
    </div>
  );
}

export function InvitationPage(props: InvitationPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("auth.invitation.title"));
  const me = useQuery({ ...meQuery, retry: false });
  const preview = useQuery(invitationPreviewQuery(props.token));
  if (preview.isPending || me.isPending) {
    return (
      <AuthLayout title={t("auth.invitation.title")}>
        <FormSkeleton fields={2} />
      </AuthLayout>
    );
  }
  if (preview.isError) {
    const unknown = preview.error instanceof Problem && preview.error.status === 404;
    return (
      <AuthLayout title={t("auth.invitation.title")}>
        {unknown ? (
          <Alert tone="warning">{t("auth.invitation.unknown")}</Alert>
        ) : (
          <ProblemState error={preview.error} onRetry={() => void preview.refetch()} />
        )}
      </AuthLayout>
    );
  }
  const { status } = preview.data;
  return (
    <AuthLayout title={t("auth.invitation.heading", { name: preview.data.project_name })}>
      <div className="grid gap-5">
        <Facts invitation={preview.data} />
        {status !== "pending" ? (
          <Alert tone="warning">{t(`auth.invitation.${status}`)}</Alert>
        ) : me.isSuccess ? (
          <SignedInActions {...props} invitation={preview.data} />
        ) : (
          <SignedOutActions token={props.token} proof={props.proof} />
        )}
      </div>
    </AuthLayout>
  );
}
