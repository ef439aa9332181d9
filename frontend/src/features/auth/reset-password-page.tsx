import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { Problem } from "@/api/problem";
import { useServerForm } from "@/api/server-form";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { PasswordStrength } from "@/components/password-strength";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { newPasswordSchema } from "@/lib/password-schema";
import { AuthLayout } from "./auth-layout";

const schema = z.object({
  password: newPasswordSchema,
});

interface NewPasswordFormProps {
  token: string;
  onExpired: () => void;
  onDone: () => void;
}

function NewPasswordForm({ token, onExpired, onDone }: NewPasswordFormProps) {
  const { t } = useTranslation();
  const reset = useChange("post", "/auth/new-password", {}, { refresh: [] });
  const { register, control, formState, message, submit } = useServerForm({
    schema,
    fields: ["password"],
    defaultValues: { password: "" },
    onSubmitted: async ({ password }) => {
      try {
        await reset.mutateAsync({ body: { token, password } });
      } catch (error) {
        if (error instanceof Problem && error.code === "RESET_EXPIRED") {
          onExpired();
          return;
        }
        throw error;
      }
      toast.success(t("passwordReset.done"));
      onDone();
    },
  });
  const typed = useWatch({ control, name: "password" });
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      <Field label={t("account.password.new")} required error={formState.errors.password?.message}>
        {(props) => (
          <PasswordInput
            {...props}
            autoComplete="new-password"
            autoFocus
            {...register("password")}
          />
        )}
      </Field>
      <PasswordStrength password={typed} />
      <Button type="submit" loading={reset.isPending}>
        {t("passwordReset.submit")}
      </Button>
    </form>
  );
}

export interface ResetPasswordPageProps {
  token: string | null;
  onDone: () => void;
}

export function ResetPasswordPage({ token, onDone }: ResetPasswordPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("passwordReset.title"));
  const [isExpired, setExpired] = useState(false);
  if (token !== null && !isExpired) {
    return (
      <AuthLayout title={t("passwordReset.title")} description={t("passwordReset.endsSessions")}>
        <NewPasswordForm token={token} onExpired={() => setExpired(true)} onDone={onDone} />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("auth.confirm.failed")}>
      <div className="grid gap-5">
        <Alert tone="warning">
          {token === null ? t("auth.confirm.incomplete") : t("passwordReset.expired")}
        </Alert>
        <Button asChild variant="secondary">
          <Link to="/forgot-password">{t("passwordReset.again")}</Link>
        </Button>
      </div>
    </AuthLayout>
  );
}
