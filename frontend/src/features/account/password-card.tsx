import { Controller, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { keys } from "@/api/keys";
import { Problem } from "@/api/problem";
import { useServerForm } from "@/api/server-form";
import type { User } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { PasswordStrength } from "@/components/password-strength";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { newPasswordSchema } from "@/lib/password-schema";

function createSchema(needsCurrent: boolean) {
  return z
    .object({
      current_password: z.string().refine((text) => text !== "" || !needsCurrent, {
        error: () => i18n.t("validation.passwordRequired"),
      }),
      new_password: newPasswordSchema,
      confirm: z.string(),
      end_tokens: z.boolean(),
    })
    .refine((values) => values.new_password === values.confirm, {
      path: ["confirm"],
      error: () => i18n.t("validation.passwordsDiffer"),
    });
}

export function PasswordCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const change = useChange(
    "put",
    "/auth/password",
    {},
    { refresh: [keys.me, keys.sessions, keys.tokens] },
  );
  const { register, control, formState, message, submit } = useServerForm({
    schema: createSchema(user.has_password),
    fields: ["current_password", "new_password"],
    defaultValues: { current_password: "", new_password: "", confirm: "", end_tokens: false },
    onSubmitted: async (values, { reset, setError }) => {
      try {
        await change.mutateAsync({
          body: {
            current_password: user.has_password ? values.current_password : null,
            new_password: values.new_password,
            end_tokens: values.end_tokens,
          },
        });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "INVALID_CREDENTIALS") {
          throw error;
        }
        const wrong = { type: "server", message: t("account.password.wrong") };
        setError("current_password", wrong, { shouldFocus: true });
        return;
      }
      reset();
      toast.success(t("account.password.changed"), {
        description: t("account.password.othersOut"),
      });
    },
  });
  const { errors, isDirty } = formState;
  const typed = useWatch({ control, name: "new_password" });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card aria-labelledby="password-heading">
        <CardHeader
          id="password-heading"
          title={t("account.password.title")}
          description={
            user.has_password ? t("account.password.hint") : t("account.password.noneHint")
          }
        />
        <CardContent className="grid max-w-lg gap-5">
          <FormAlert message={message} />
          <input type="hidden" autoComplete="username" value={user.email} readOnly />
          {user.has_password ? (
            <Field
              label={t("account.password.current")}
              required
              error={errors.current_password?.message}
            >
              {(props) => (
                <PasswordInput
                  {...props}
                  autoComplete="current-password"
                  {...register("current_password")}
                />
              )}
            </Field>
          ) : null}
          <div className="grid gap-2">
            <Field label={t("account.password.new")} required error={errors.new_password?.message}>
              {(props) => (
                <PasswordInput
                  {...props}
                  autoComplete="new-password"
                  {...register("new_password")}
                />
              )}
            </Field>
            {typed === "" ? null : <PasswordStrength password={typed} />}
          </div>
          <Field label={t("fields.confirmPassword")} required error={errors.confirm?.message}>
            {(props) => (
              <PasswordInput {...props} autoComplete="new-password" {...register("confirm")} />
            )}
          </Field>
          <Controller
            control={control}
            name="end_tokens"
            render={({ field }) => (
              <Checkbox
                label={t("account.password.endTokens")}
                description={t("account.password.endTokensHint")}
                checked={field.value}
                onCheckedChanged={field.onChange}
              />
            )}
          />
        </CardContent>
        <CardFooter>
          <Button type="submit" size="sm" disabled={!isDirty} loading={change.isPending}>
            {user.has_password ? t("account.password.submit") : t("account.password.set")}
          </Button>
        </CardFooter>
      </Card>
    </form>
  );
}
