import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import type { User } from "@/api/types";
import { useChange } from "@/api/use-change";
import { CopyField } from "@/components/copy-field";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import { RecoveryCodes } from "./recovery-codes";
import { SecondFactorForm } from "./second-factor-form";

/** The second-factor card is invalidated by default; the account and its sessions show it too. */
const SHOWN = { also: [keys.me, keys.sessions] };

interface StepsProps {
  user: User;
  onClosed: () => void;
}

function EnrolSteps({ user, onClosed }: StepsProps) {
  const { t } = useTranslation();
  const start = useChange("post", "/auth/second-factor/enrolment", {}, { refresh: [] });
  const confirm = useChange("post", "/auth/second-factor/confirmation", {}, SHOWN);
  if (confirm.isSuccess) {
    return <RecoveryCodes codes={confirm.data.recovery_codes} onDone={onClosed} />;
  }
  if (!start.isSuccess) {
    return (
      <SecondFactorForm
        key="start"
        asks={{ password: user.has_password, code: false }}
        submitLabel={t("account.secondFactor.continue")}
        onSubmitted={({ password }) => start.mutateAsync({ body: { password } })}
        onCancelled={onClosed}
      >
        <p className="text-sm text-ink-muted">{t("account.secondFactor.needApp")}</p>
      </SecondFactorForm>
    );
  }
  return (
    <SecondFactorForm
      key="confirm"
      asks={{ password: false, code: true }}
      isAppCode
      submitLabel={t("account.secondFactor.turnOn")}
      onSubmitted={({ code }) => confirm.mutateAsync({ body: { code } })}
      onCancelled={onClosed}
    >
      <p className="text-sm text-ink-muted">{t("account.secondFactor.scan")}</p>
      <img
        alt={t("account.secondFactor.qr")}
        src={`data:image/svg+xml,${encodeURIComponent(start.data.qr_svg)}`}
        className="bg-white mx-auto size-52 rounded-lg border border-border"
      />
      <CopyField
        label={t("account.secondFactor.key")}
        hint={t("account.secondFactor.keyHint")}
        text={start.data.secret}
        copyLabel={t("account.secondFactor.copyKey")}
      />
    </SecondFactorForm>
  );
}

function RenewSteps({ user, onClosed }: StepsProps) {
  const { t } = useTranslation();
  const renew = useChange("post", "/auth/second-factor/recovery-codes", {}, SHOWN);
  return renew.isSuccess ? (
    <RecoveryCodes codes={renew.data.recovery_codes} onDone={onClosed} />
  ) : (
    <SecondFactorForm
      asks={{ password: user.has_password, code: true }}
      submitLabel={t("account.secondFactor.renew")}
      onSubmitted={(body) => renew.mutateAsync({ body })}
      onCancelled={onClosed}
    />
  );
}

function DisableSteps({ user, onClosed }: StepsProps) {
  const { t } = useTranslation();
  const disable = useChange("post", "/auth/second-factor/removal", {}, SHOWN);
  return (
    <SecondFactorForm
      asks={{ password: user.has_password, code: true }}
      submitLabel={t("account.secondFactor.turnOff")}
      onSubmitted={async (body) => {
        await disable.mutateAsync({ body });
        onClosed();
        toast.success(t("account.secondFactor.isOff"));
      }}
      onCancelled={onClosed}
    />
  );
}

const DIALOGS = {
  enrol: { Steps: EnrolSteps, title: "enrolTitle", description: "hint" },
  renew: { Steps: RenewSteps, title: "renewTitle", description: "renewBody" },
  disable: { Steps: DisableSteps, title: "offTitle", description: "offBody" },
} as const;

export type SecondFactorChange = keyof typeof DIALOGS;

export interface SecondFactorDialogProps extends StepsProps {
  change: SecondFactorChange;
}

/** Dialog of second-factor changes. A click outside does not close it. */
export function SecondFactorDialog({ change, ...steps }: SecondFactorDialogProps) {
  const { t } = useTranslation();
  const { Steps, title, description } = DIALOGS[change];
  return (
    <Dialog
      open
      onOpenChanged={steps.onClosed}
      closeOnOutside={false}
      title={t(`account.secondFactor.${title}`)}
      description={t(`account.secondFactor.${description}`)}
    >
      <Steps {...steps} />
    </Dialog>
  );
}
