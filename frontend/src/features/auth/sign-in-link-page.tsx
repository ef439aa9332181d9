import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { AuthLayout } from "./auth-layout";
import { SIGN_IN } from "./queries";
import { SecondFactorForm } from "./second-factor-form";

function isSpent(error: unknown): boolean {
  return error instanceof Problem && [400, 401, 404, 409].includes(error.status);
}

function NewLinkHelp() {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3 text-sm text-ink-muted">
      <p>{t("auth.link.howTo")}</p>
      <pre className="overflow-x-auto rounded-md border border-border bg-surface px-3 py-2 text-xs text-ink">
        edison serve
      </pre>
    </div>
  );
}

export interface SignInLinkPageProps {
  token: string | undefined;
  onSignedIn: () => void;
}

export function SignInLinkPage({ token, onSignedIn }: SignInLinkPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("auth.link.title"));
  const { mutate, isError, error } = useChange("post", "/auth/sign-in-link", {}, SIGN_IN);
  const [challenge, setChallenge] = useState<string | null>(null);
  const sent = useRef(false);

  // The link works once: it must not be sent twice, even when React mounts the page twice.
  useEffect(() => {
    if (token === undefined || sent.current) {
      return;
    }
    sent.current = true;
    mutate(
      { body: { token } },
      {
        onSuccess: (answer) => {
          if ("challenge" in answer) {
            setChallenge(answer.challenge);
            return;
          }
          toast.success(t("auth.link.welcome"));
          onSignedIn();
        },
      },
    );
  }, [token, mutate, onSignedIn, t]);

  if (challenge !== null) {
    return (
      <AuthLayout
        title={t("auth.secondFactor.heading")}
        description={t("auth.secondFactor.description")}
      >
        <SecondFactorForm
          challenge={challenge}
          onSignedIn={onSignedIn}
          onRestarted={() => window.location.assign("/login")}
        />
      </AuthLayout>
    );
  }
  if (token !== undefined && !isError) {
    return (
      <AuthLayout title={t("auth.link.signingIn")} description={t("auth.link.moment")}>
        <Progress label={t("auth.link.signingIn")} value={null} />
      </AuthLayout>
    );
  }
  const spent = token === undefined || isSpent(error);
  return (
    <AuthLayout title={spent ? t("auth.link.spentTitle") : t("auth.link.failedTitle")}>
      <div className="grid gap-5">
        <Alert tone={spent ? "warning" : "danger"}>
          {spent ? t("auth.link.spentBody") : problemMessage(error)}
        </Alert>
        <NewLinkHelp />
        <Button asChild variant="secondary">
          <Link to="/login">{t("auth.link.toLogin")}</Link>
        </Button>
      </div>
    </AuthLayout>
  );
}
