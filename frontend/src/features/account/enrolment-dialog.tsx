import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { User } from "@/api/types";
import { CopyField } from "@/components/copy-field";
import { DialogForm } from "@/components/dialog-form";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { i18n } from "@/lib/i18n";
import { RecoveryCodes } from "./recovery-codes";
import { useConfirmEnrolment, useStartEnrolment } from "./security-queries";

const codeSchema = z.object({
  code: z
    .string()
    .trim()
    .min(1, { error: () => i18n.t("validation.code") }),
});

const passwordSchema = (isNeeded: boolean) =>
  z.object({
    password: z.string().refine((text) => text !== "" || !isNeeded, {
      error: () => i18n.t("validation.passwordRequired"),
    }),
  });

interface Enrolment {
  secret: string;
  qr_svg: string;
}

function StartForm({
  user,
  start,
  onCancelled,
}: {
  user: User;
  start: ReturnType<typeof useStartEnrolment>;
  onCancelled: () => void;
}) {
  const { t } = useTranslation();
  const { register, formState, message, submit } = useServerForm({
    schema: passwordSchema(user.has_password),
    fields: ["password"],
    defaultValues: { password: "" },
    onSubmitted: ({ password }) =>
      start.mutateAsync({ password: user.has_password ? password : null }),
  });
  return (
    <DialogForm
      message={message}
      submitLabel={t("account.secondFactor.continue")}
      isSaving={start.isPending}
      onSubmitted={() => void submit()}
      onCancelled={onCancelled}
    >
      <p className="text-sm text-ink-muted">{t("account.secondFactor.needApp")}</p>
      {user.has_password ? (
        <Field
          label={t("account.password.current")}
          required
          error={formState.errors.password?.message}
        >
          {(props) => (
            <PasswordInput
              {...props}
              autoFocus
              autoComplete="current-password"
              {...register("password")}
            />
          )}
        </Field>
      ) : null}
    </DialogForm>
  );
}

function ConfirmForm({
  enrolment,
  confirm,
  onCancelled,
}: {
  enrolment: Enrolment;
  confirm: ReturnType<typeof useConfirmEnrolment>;
  onCancelled: () => void;
}) {
  const { t } = useTranslation();
  const { register, formState, message, submit } = useServerForm({
    schema: codeSchema,
    fields: ["code"],
    defaultValues: { code: "" },
    onSubmitted: ({ code }) => confirm.mutateAsync({ code }),
  });
  return (
    <DialogForm
      message={message}
      submitLabel={t("account.secondFactor.turnOn")}
      isSaving={confirm.isPending}
      onSubmitted={() => void submit()}
      onCancelled={onCancelled}
    >
      <p className="text-sm text-ink-muted">{t("account.secondFactor.scan")}</p>
      <img
        alt={t("account.secondFactor.qr")}
        src={`data:image/svg+xml,${encodeURIComponent(enrolment.qr_svg)}`}
        className="bg-white mx-auto size-52 rounded-lg border border-border"
      />
      <CopyField
        label={t("account.secondFactor.key")}
        hint={t("account.secondFactor.keyHint")}
        text={enrolment.secret}
        copyLabel={t("account.secondFactor.copyKey")}
      />
      <Field
        label={t("auth.secondFactor.code")}
        required
        hint={t("account.secondFactor.codeHint")}
        error={formState.errors.code?.message}
      >
        {(props) => (
          <Input
            {...props}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="font-mono"
            {...register("code")}
          />
        )}
      </Field>
    </DialogForm>
  );
}

interface EnrolmentStepsProps {
  user: User;
  onDone: () => void;
}

function EnrolmentSteps({ user, onDone }: EnrolmentStepsProps) {
  const start = useStartEnrolment();
  const confirm = useConfirmEnrolment();
  if (confirm.isSuccess) {
    return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onDone} />;
  }
  if (start.isSuccess) {
    return <ConfirmForm enrolment={start.data} confirm={confirm} onCancelled={onDone} />;
  }
  return <StartForm user={user} start={start} onCancelled={onDone} />;
}

export interface EnrolmentDialogProps {
  user: User;
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

export function EnrolmentDialog({ user, open, onOpenChanged }: EnrolmentDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChanged={onOpenChanged}
      closeOnOutside={false}
      title={t("account.secondFactor.enrolTitle")}
      description={t("account.secondFactor.hint")}
    >
      <EnrolmentSteps user={user} onDone={() => onOpenChanged(false)} />
    </Dialog>
  );
}
