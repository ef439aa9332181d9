import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { Problem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { useServerForm } from "@/api/server-form";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { Progress } from "@/components/ui/progress";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { newPasswordSchema } from "@/lib/password-schema";
import { AuthLayout } from "./auth-layout";
import { SIGN_IN } from "./queries";

const schema = z.object({
  password: newPasswordSchema,
});

interface TakeOverProps {
  token: string;
  onConfirmed: () => void;
}

/**
 * The account may have been created by another person: the owner of the address sets a new
 * password.
 */
function TakeOverForm({ token, onConfirmed }: TakeOverProps) {
  const { t } = useTranslation();
  const confirm = useChange("post", "/auth/email-confirmation/use", {}, SIGN_IN);
  const { register, formState, message, submit } = useServerForm({
    schema,
    fields: ["password"],
    defaultValues: { password: "" },
    onSubmitted: async ({ password }) => {
      await confirm.mutateAsync({ body: { token, password } });
      onConfirmed();
    },
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <Alert tone="warning" live={false}>
        {t("auth.confirm.takeOver")}
      </Alert>
      <FormAlert message={message} />
      <Field
        label={t("account.password.new")}
        required
        hint={t("auth.confirm.rules")}
        error={formState.errors.password?.message}
      >
        {(props) => (
          <PasswordInput {...props} autoComplete="new-password" {...register("password")} />
        )}
      </Field>
      <Button type="submit" loading={confirm.isPending}>
        {t("auth.confirm.submit")}
      </Button>
    </form>
  );
}

export interface ConfirmEmailPageProps {
  token: string | null;
  onConfirmed: () => void;
}

export function ConfirmEmailPage({ token, onConfirmed }: ConfirmEmailPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("auth.confirm.title"));
  const { mutate, isError, error } = useChange("post", "/auth/email-confirmation/use", {}, SIGN_IN);
  const sent = useRef(false);

  // The link works once: it must not be sent twice, even when React mounts the page twice.
  useEffect(() => {
    if (token === null || sent.current) {
      return;
    }
    sent.current = true;
    mutate(
      { body: { token, password: null } },
      {
        onSuccess: () => {
          toast.success(t("auth.confirm.done"));
          onConfirmed();
        },
      },
    );
  }, [token, mutate, onConfirmed, t]);

  if (token !== null && !isError) {
    return (
      <AuthLayout title={t("auth.confirm.title")} description={t("auth.link.moment")}>
        <Progress label={t("auth.confirm.title")} value={null} />
      </AuthLayout>
    );
  }
  if (token !== null && error instanceof Problem && error.code === "PASSWORD_NEEDED") {
    return (
      <AuthLayout title={t("auth.confirm.takeOverTitle")}>
        <TakeOverForm
          token={token}
          onConfirmed={() => {
            toast.success(t("auth.confirm.done"));
            onConfirmed();
          }}
        />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("auth.confirm.failed")}>
      <div className="grid gap-5">
        <Alert tone="warning">
          {token === null ? t("auth.confirm.incomplete") : problemMessage(error)}
        </Alert>
        <Button asChild variant="secondary">
          <Link to="/login">{t("auth.confirm.toLogin")}</Link>
        </Button>
      </div>
    </AuthLayout>
  );
}
