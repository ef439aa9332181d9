import { Controller, useWatch } from "react-hook-form";
import { Trans, useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import { FormAlert } from "@/components/form-alert";
import { PasswordStrength } from "@/components/password-strength";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { newPasswordSchema } from "@/lib/password-schema";
import { TEXT_LINK } from "./auth-layout";
import { useRegister, type InvitationKey } from "./queries";

function createSchema(needsTerms: boolean) {
  return z
    .object({
      name: z.string().trim().max(255),
      email: z.email({ error: () => i18n.t("validation.email") }).max(255),
      password: newPasswordSchema,
      confirm: z.string(),
      terms: z
        .boolean()
        .refine((accepted) => accepted || !needsTerms, { error: () => i18n.t("validation.terms") }),
    })
    .refine((values) => values.password === values.confirm, {
      path: ["confirm"],
      error: () => i18n.t("validation.passwordsDiffer"),
    });
}

export interface RegisterFormProps {
  invitation: InvitationKey | null;
  email: string | null;
  termsUrl: string | null;
  /** Receives the slug of the project joined by an invitation. */
  onRegistered: (slug: string | null) => void;
}

export function RegisterForm({ invitation, email, termsUrl, onRegistered }: RegisterFormProps) {
  const { t } = useTranslation();
  const create = useRegister(invitation);
  const { register, control, formState, message, submit } = useServerForm({
    schema: createSchema(termsUrl !== null),
    fields: ["name", "email", "password"],
    mode: "onTouched",
    defaultValues: { name: "", email: email ?? "", password: "", confirm: "", terms: false },
    onSubmitted: async (values) => {
      const { project } = await create.mutateAsync({
        email: values.email,
        password: values.password,
        name: values.name === "" ? null : values.name,
      });
      toast.success(t("auth.register.created"));
      onRegistered(project?.slug ?? null);
    },
  });
  const { errors } = formState;
  const password = useWatch({ control, name: "password" });

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      <Field label={t("fields.fullName")} error={errors.name?.message}>
        {(props) => <Input {...props} autoComplete="name" autoFocus {...register("name")} />}
      </Field>
      <Field label={t("fields.email")} required error={errors.email?.message}>
        {(props) => (
          <Input
            {...props}
            type="email"
            autoComplete="username"
            readOnly={email !== null}
            {...register("email")}
          />
        )}
      </Field>
      <div className="grid gap-2">
        <Field label={t("fields.password")} required error={errors.password?.message}>
          {(props) => (
            <PasswordInput {...props} autoComplete="new-password" {...register("password")} />
          )}
        </Field>
        <PasswordStrength password={password} />
      </div>
      <Field label={t("fields.confirmPassword")} required error={errors.confirm?.message}>
        {(props) => (
          <PasswordInput {...props} autoComplete="new-password" {...register("confirm")} />
        )}
      </Field>
      {termsUrl === null ? null : (
        <Controller
          control={control}
          name="terms"
          render={({ field }) => (
            <Checkbox
              required
              checked={field.value}
              onCheckedChanged={field.onChange}
              error={errors.terms?.message}
              label={
                <Trans
                  i18nKey="auth.register.terms"
                  components={{
                    a: <a href={termsUrl} target="_blank" rel="noreferrer" className={TEXT_LINK} />,
                  }}
                />
              }
            />
          )}
        />
      )}
      <Button type="submit" className="w-full" loading={create.isPending}>
        {t("auth.register.submit")}
      </Button>
    </form>
  );
}
