import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { User } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { RecoveryCodes } from "./recovery-codes";
import { useDisableSecondFactor, useRenewCodes, type PasswordAndCode } from "./security-queries";

const schema = (needsPassword: boolean) =>
  z.object({
    password: z.string().refine((text) => text !== "" || !needsPassword, {
      error: () => i18n.t("validation.passwordRequired"),
    }),
    code: z
      .string()
      .trim()
      .min(1, { error: () => i18n.t("validation.code") }),
  });

interface PasswordAndCodeFormProps {
  user: User;
  submitLabel: string;
  isSaving: boolean;
  onSubmitted: (body: PasswordAndCode) => Promise<unknown>;
  onCancelled: () => void;
}

function PasswordAndCodeForm(props: PasswordAndCodeFormProps) {
  const { user, submitLabel, isSaving, onSubmitted, onCancelled } = props;
  const { t } = useTranslation();
  const { register, formState, message, submit } = useServerForm({
    schema: schema(user.has_password),
    fields: ["password", "code"],
    defaultValues: { password: "", code: "" },
    onSubmitted: ({ password, code }) =>
      onSubmitted({ password: user.has_password ? password : null, code }),
  });
  const { errors } = formState;
  return (
    <DialogForm
      message={message}
      submitLabel={submitLabel}
      isSaving={isSaving}
      onSubmitted={() => void submit()}
      onCancelled={onCancelled}
    >
      {user.has_password ? (
        <Field label={t("account.password.current")} required error={errors.password?.message}>
          {(control) => (
            <PasswordInput {...control} autoComplete="current-password" {...register("password")} />
          )}
        </Field>
      ) : null}
      <Field
        label={t("auth.secondFactor.code")}
        required
        hint={t("auth.secondFactor.hint")}
        error={errors.code?.message}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="one-time-code"
            className="font-mono"
            {...register("code")}
          />
        )}
      </Field>
    </DialogForm>
  );
}

export interface CodeDialogProps {
  user: User;
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

export function DisableDialog({ user, open, onOpenChanged }: CodeDialogProps) {
  const { t } = useTranslation();
  const disable = useDisableSecondFactor();
  return (
    <Dialog
      open={open}
      onOpenChanged={onOpenChanged}
      title={t("account.secondFactor.offTitle")}
      description={t("account.secondFactor.offBody")}
    >
      <PasswordAndCodeForm
        user={user}
        submitLabel={t("account.secondFactor.turnOff")}
        isSaving={disable.isPending}
        onCancelled={() => onOpenChanged(false)}
        onSubmitted={async (body) => {
          await disable.mutateAsync(body);
          onOpenChanged(false);
          toast.success(t("account.secondFactor.isOff"));
        }}
      />
    </Dialog>
  );
}

function RenewSteps({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation();
  const renew = useRenewCodes();
  return renew.isSuccess ? (
    <RecoveryCodes codes={renew.data.recovery_codes} onDone={onDone} />
  ) : (
    <PasswordAndCodeForm
      user={user}
      submitLabel={t("account.secondFactor.renew")}
      isSaving={renew.isPending}
      onCancelled={onDone}
      onSubmitted={(body) => renew.mutateAsync(body)}
    />
  );
}

export function RenewCodesDialog({ user, open, onOpenChanged }: CodeDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChanged={onOpenChanged}
      closeOnOutside={false}
      title={t("account.secondFactor.renewTitle")}
      description={t("account.secondFactor.renewBody")}
    >
      <RenewSteps user={user} onDone={() => onOpenChanged(false)} />
    </Dialog>
  );
}
