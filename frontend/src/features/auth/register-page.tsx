import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { authConfigQuery } from "@/api/session";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { AuthLayout, TEXT_LINK } from "./auth-layout";
import { invitationPreviewQuery } from "./queries";
import { RegisterForm } from "./register-form";

export interface RegisterPageProps {
  next: string | undefined;
  invitation: string | undefined;
  /** Proof of a mailed invitation. */
  proof: string | undefined;
  onRegistered: (slug: string | null) => void;
}

function useInvitedEmail(token: string | undefined): string | null {
  const { data } = useQuery({
    ...invitationPreviewQuery(token ?? ""),
    enabled: token !== undefined,
  });
  return data?.email ?? null;
}

export function RegisterPage({ next, invitation, proof, onRegistered }: RegisterPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("auth.register.title"));
  const config = useQuery(authConfigQuery);
  const email = useInvitedEmail(invitation);
  const closed = config.data?.registration_open === false && invitation === undefined;
  return (
    <AuthLayout
      title={t("auth.register.heading")}
      footer={
        <>
          {t("auth.register.haveAccount")}{" "}
          <Link to="/login" search={next === undefined ? {} : { next }} className={TEXT_LINK}>
            {t("auth.register.signIn")}
          </Link>
        </>
      }
    >
      {config.isPending ? (
        <FormSkeleton />
      ) : config.isError ? (
        <ProblemState error={config.error} onRetry={() => void config.refetch()} />
      ) : closed ? (
        <Alert tone="info" live={false} title={t("auth.register.closedTitle")}>
          <p>{t("auth.register.closedBody")}</p>
          <p className="mt-2">{t(`auth.register.mode.${config.data.registration}`)}</p>
        </Alert>
      ) : (
        <RegisterForm
          key={email ?? ""}
          invitation={invitation === undefined ? null : { token: invitation, proof: proof ?? null }}
          email={email}
          termsUrl={config.data.terms_url ?? null}
          onRegistered={onRegistered}
        />
      )}
    </AuthLayout>
  );
}
