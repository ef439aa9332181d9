import { zodResolver } from "@hookform/resolvers/zod";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { placeProblem } from "@/api/form-problem";
import { Problem } from "@/api/problem";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { formatCountdown } from "@/lib/format";
import { useCountdown } from "@/lib/hooks";
import { i18n } from "@/lib/i18n";
import { TEXT_LINK } from "./auth-layout";
import { SIGN_IN } from "./queries";

const schema = z.object({
  // Any text: the local owner signs in as owner@localhost, which email validation rejects.
  email: z.string().min(1, { error: () => i18n.t("validation.email") }),
  password: z.string().min(1, { error: () => i18n.t("validation.passwordRequired") }),
  remember_me: z.boolean(),
});
type Values = z.infer<typeof schema>;

interface Block {
  code: string;
  until: number;
}

/** Locked account or too many attempts: disables the form for as long as the server says. */
function blockOf(error: unknown): Block | null {
  if (!(error instanceof Problem) || error.status !== 429) {
    return null;
  }
  return { code: error.code, until: Date.now() + (error.retryAfter ?? 60) * 1000 };
}

export interface LoginFormProps {
  onSignedIn: () => void;
  /** The password was correct and a second factor is required. */
  onChallenged: (challenge: string) => void;
}

export function LoginForm({ onSignedIn, onChallenged }: LoginFormProps) {
  const { t } = useTranslation();
  const login = useChange("post", "/auth/login", {}, SIGN_IN);
  const [message, setMessage] = useState<string | null>(null);
  const [block, setBlock] = useState<Block | null>(null);
  const waiting = useCountdown(block?.until ?? null);
  const { register, handleSubmit, setError, control, formState } = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: { email: "", password: "", remember_me: false },
  });
  const { errors } = formState;

  const onSubmit = handleSubmit(async (values) => {
    setMessage(null);
    try {
      const answer = await login.mutateAsync({ body: values });
      if ("challenge" in answer) {
        onChallenged(answer.challenge);
      } else {
        onSignedIn();
      }
    } catch (error) {
      const refused = blockOf(error);
      setBlock(refused);
      if (refused !== null) {
        return;
      }
      setMessage(
        error instanceof Problem && error.code === "INVALID_CREDENTIALS"
          ? t("auth.login.invalid")
          : placeProblem<Values>(error, ["email", "password"], setError),
      );
    }
  });

  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void onSubmit(event)}>
      {waiting > 0 ? (
        <Alert
          tone="warning"
          title={
            block?.code === "ACCOUNT_LOCKED"
              ? t("auth.login.lockedTitle")
              : t("auth.login.limitedTitle")
          }
        >
          {t("auth.login.tryAgainIn", { time: formatCountdown(waiting) })}
        </Alert>
      ) : null}
      <FormAlert message={message} />
      <Field label={t("fields.email")} required error={errors.email?.message}>
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
      <Field label={t("fields.password")} required error={errors.password?.message}>
        {(props) => (
          <PasswordInput {...props} autoComplete="current-password" {...register("password")} />
        )}
      </Field>
      <Controller
        control={control}
        name="remember_me"
        render={({ field }) => (
          <Checkbox
            label={t("auth.login.remember")}
            checked={field.value}
            onCheckedChanged={field.onChange}
          />
        )}
      />
      <Button type="submit" className="w-full" loading={login.isPending} disabled={waiting > 0}>
        {t("auth.login.submit")}
      </Button>
      <Link to="/forgot-password" className={`justify-self-center text-sm ${TEXT_LINK}`}>
        {t("auth.login.forgot")}
      </Link>
    </form>
  );
}
