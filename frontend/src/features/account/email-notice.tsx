import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { authConfigQuery } from "@/api/session";
import type { User } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

/** Profile note: the address is unverified and the server cannot send a confirmation mail. */
export function UnverifiedNote({ user }: { user: User }) {
  const { t } = useTranslation();
  const config = useQuery(authConfigQuery);
  if (user.is_email_verified || config.data?.sends_mail !== false) {
    return null;
  }
  return (
    <Alert tone="info" live={false}>
      {t("account.email.noMail")}
    </Alert>
  );
}

/** Banner on every page while the address is unconfirmed and a mail can confirm it. */
export function EmailBanner({ user }: { user: User }) {
  const { t } = useTranslation();
  const config = useQuery({ ...authConfigQuery, enabled: !user.is_email_verified });
  const send = useChange("post", "/auth/email-confirmation", {});
  if (user.is_email_verified || config.data?.sends_mail !== true) {
    return null;
  }
  return (
    <Alert
      tone="warning"
      live={false}
      className="mx-4 mt-4 md:mx-8"
      title={t("account.email.unverified", { email: user.email })}
      action={
        <Button
          variant="secondary"
          size="sm"
          loading={send.isPending}
          onClick={() =>
            send.mutate(undefined, {
              onSuccess: () => toast.success(t("account.email.sent", { email: user.email })),
              onError: (error) => toast.error(problemMessage(error)),
            })
          }
        >
          {t("account.email.send")}
        </Button>
      }
    >
      {t("account.email.why")}
    </Alert>
  );
}
