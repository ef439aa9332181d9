import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import { authConfigQuery } from "@/api/session";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useDocumentTitle } from "@/lib/hooks";
import { i18n } from "@/lib/i18n";
import { AuthLayout, TEXT_LINK } from "./auth-layout";

const schema = z.object({
  email: z.string().min(1, { error: () => i18n.t("validation.email") }),
});

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation();
  const request = useChange("post", "/auth/password-reset", {}, { refresh: [] });
  const { register, formState, message, submit } = useServerForm({
    schema,
    fields: ["email"],
    defaultValues: { email: "" },
    onSubmitted: async ({ email }) => {
      await request.mutateAsync({ body: { email } });
      onSent(email);
    },
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      <Field label={t("fields.email")} required error={formState.errors.email?.message}>
        {(props) => (
          <Input
            {...props}
            type="text"
            inputMode="email"
            autoComplete="username"
            autoFocus
            {...register("email")}
          />
        )}
      </Field>
      <Button type="submit" loading={request.isPending}>
        {t("passwordReset.send")}
      </Button>
    </form>
  );
}

function OperatorHelp() {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3 text-sm text-ink-muted">
      <p>{t("passwordReset.noMail")}</p>
      <pre className="rounded-md border border-border bg-surface px-3 py-2 text-xs break-words whitespace-pre-wrap text-ink">
        edison user reset-password you@example.org --link
      </pre>
    </div>
  );
}

export function ForgotPasswordPage() {
  const { t } = useTranslation();
  useDocumentTitle(t("passwordReset.title"));
  const { data: config } = useQuery(authConfigQuery);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const sendsMail = config?.sends_mail !== false;
  const asks = sendsMail && sentTo === null;
  return (
    <AuthLayout
      title={t("passwordReset.title")}
      description={asks ? t("passwordReset.description") : undefined}
      footer={
        <Link to="/login" className={TEXT_LINK}>
          {t("auth.confirm.toLogin")}
        </Link>
      }
    >
      {sendsMail ? null : <OperatorHelp />}
      {asks ? <RequestForm onSent={setSentTo} /> : null}
      {sentTo === null ? null : (
        <Alert tone="success">{t("passwordReset.sent", { email: sentTo })}</Alert>
      )}
    </AuthLayout>
  );
}
