import { useTranslation } from "react-i18next";
import { z } from "zod";
import { Problem } from "@/api/problem";
import { useServerForm } from "@/api/server-form";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { i18n } from "@/lib/i18n";
import { SIGN_IN } from "./queries";

const schema = z.object({
  code: z
    .string()
    .trim()
    .min(1, { error: () => i18n.t("validation.code") }),
});

export interface SecondFactorFormProps {
  challenge: string;
  onSignedIn: () => void;
  /** Returns to the first step, also when the challenge has expired. */
  onRestarted: () => void;
}

/** Second sign-in step: authenticator code or recovery code. */
export function SecondFactorForm({ challenge, onSignedIn, onRestarted }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const finish = useChange("post", "/auth/login/second-factor", {}, SIGN_IN);
  const { register, formState, message, submit } = useServerForm({
    schema,
    fields: ["code"],
    defaultValues: { code: "" },
    onSubmitted: async ({ code }, { setError }) => {
      try {
        await finish.mutateAsync({ body: { challenge, code } });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "WRONG_CODE") {
          throw error;
        }
        setError("code", { type: "server", message: error.message }, { shouldFocus: true });
        return;
      }
      onSignedIn();
    },
  });
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      <Field
        label={t("auth.secondFactor.code")}
        required
        hint={t("auth.secondFactor.hint")}
        error={formState.errors.code?.message}
      >
        {(props) => (
          <Input
            {...props}
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
            {...register("code")}
          />
        )}
      </Field>
      <Button type="submit" className="w-full" loading={finish.isPending}>
        {t("auth.secondFactor.submit")}
      </Button>
      <Button variant="ghost" onClick={onRestarted}>
        {t("auth.secondFactor.restart")}
      </Button>
    </form>
  );
}
