import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import { DialogForm } from "@/components/dialog-form";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { i18n } from "@/lib/i18n";

export interface SecondFactorFormProps {
  asks: { password: boolean; code: boolean };
  /** Accepts only app codes, no recovery codes. */
  isAppCode?: boolean;
  submitLabel: string;
  onSubmitted: (values: { password: string | null; code: string }) => Promise<unknown>;
  onCancelled: () => void;
  /** Content above the fields. */
  children?: ReactNode;
}

const schema = (asks: SecondFactorFormProps["asks"]) =>
  z.object({
    password: z.string().refine((text) => text !== "" || !asks.password, {
      error: () => i18n.t("validation.passwordRequired"),
    }),
    code: z
      .string()
      .trim()
      .refine((text) => text !== "" || !asks.code, { error: () => i18n.t("validation.code") }),
  });

/** One step of a second-factor change: asks for the password, a code, or both. */
export function SecondFactorForm(props: SecondFactorFormProps) {
  const { asks, isAppCode = false, submitLabel, onSubmitted, onCancelled, children } = props;
  const { t } = useTranslation();
  const { register, formState, message, submit } = useServerForm({
    schema: schema(asks),
    fields: ["password", "code"],
    defaultValues: { password: "", code: "" },
    onSubmitted: ({ password, code }) =>
      onSubmitted({ password: asks.password ? password : null, code }),
  });
  const { errors, isSubmitting } = formState;
  return (
    <DialogForm
      message={message}
      submitLabel={submitLabel}
      isSaving={isSubmitting}
      onSubmitted={() => void submit()}
      onCancelled={onCancelled}
    >
      {children}
      {asks.password ? (
        <Field label={t("account.password.current")} required error={errors.password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoFocus={!asks.code}
              autoComplete="current-password"
              {...register("password")}
            />
          )}
        </Field>
      ) : null}
      {asks.code ? (
        <Field
          label={t("auth.secondFactor.code")}
          required
          hint={t(isAppCode ? "account.secondFactor.codeHint" : "auth.secondFactor.hint")}
          error={errors.code?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...(isAppCode ? { inputMode: "numeric" } : {})}
              autoComplete="one-time-code"
              className="font-mono"
              {...register("code")}
            />
          )}
        </Field>
      ) : null}
    </DialogForm>
  );
}
