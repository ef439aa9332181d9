import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { authConfigQuery } from "@/api/session";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useDocumentTitle } from "@/lib/hooks";
import { AuthLayout, TEXT_LINK } from "./auth-layout";
import { LoginForm } from "./login-form";
import { SecondFactorForm } from "./second-factor-form";

const FAILURES = [
  "oidc_denied",
  "oidc_email_missing",
  "oidc_email_unverified",
  "oidc_rejected",
  "oidc_state",
  "oidc_unavailable",
  "registration_closed",
] as const;

function isKnownFailure(code: string): code is (typeof FAILURES)[number] {
  return (FAILURES as readonly string[]).includes(code);
}

export interface LoginPageProps {
  next: string | undefined;
  errorCode: string | undefined;
  onSignedIn: () => void;
}

export function LoginPage({ next, errorCode, onSignedIn }: LoginPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("auth.login.title"));
  const { data: config } = useQuery(authConfigQuery);
  const [challenge, setChallenge] = useState<string | null>(null);
  const oidcStart = `/api/v1/auth/oidc/start?next=${encodeURIComponent(next ?? "/projects")}`;
  if (challenge !== null) {
    return (
      <AuthLayout
        title={t("auth.secondFactor.heading")}
        description={t("auth.secondFactor.description")}
      >
        <SecondFactorForm
          challenge={challenge}
          onSignedIn={onSignedIn}
          onRestarted={() => setChallenge(null)}
        />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title={t("auth.login.heading")}
      description={next === undefined ? undefined : t("auth.login.continueHint")}
      footer={
        config?.registration_open === true ? (
          <>
            {t("auth.login.noAccount")}{" "}
            <Link to="/register" search={next === undefined ? {} : { next }} className={TEXT_LINK}>
              {t("auth.login.createAccount")}
            </Link>
          </>
        ) : null
      }
    >
      <div className="grid gap-5">
        {errorCode === undefined ? null : (
          <Alert tone="danger">
            {t(`auth.login.failed.${isKnownFailure(errorCode) ? errorCode : "unknown"}`)}
          </Alert>
        )}
        {config?.first_run === true ? (
          <Alert tone="info" live={false} title={t("auth.firstRun.title")}>
            {t("auth.firstRun.body")}
          </Alert>
        ) : null}
        <LoginForm onSignedIn={onSignedIn} onChallenged={setChallenge} />
        {typeof config?.oidc_name === "string" ? (
          <>
            <div className="flex items-center gap-3 text-xs text-ink-subtle">
              <span className="h-px flex-1 bg-border" />
              {t("auth.login.or")}
              <span className="h-px flex-1 bg-border" />
            </div>
            <Button asChild variant="secondary">
              <a href={oidcStart}>{t("auth.login.oidc", { name: config.oidc_name })}</a>
            </Button>
          </>
        ) : null}
      </div>
    </AuthLayout>
  );
}
