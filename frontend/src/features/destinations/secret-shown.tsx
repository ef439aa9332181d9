import { useTranslation } from "react-i18next";
import { CopyField } from "@/components/copy-field";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";

export interface SecretShownProps {
  secret: string;
  /** Explains what the secret is for. */
  hint: string;
  onDone: () => void;
}

/** A signing secret that is not shown again. */
export function SecretShown({ secret, hint, onDone }: SecretShownProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-5">
      <Alert tone="warning" title={t("destinations.secret.once")}>
        {hint}
      </Alert>
      <CopyField
        label={t("destinations.secret.label")}
        text={secret}
        copyLabel={t("destinations.secret.copy")}
      />
      <DialogFooter>
        <Button onClick={onDone}>{t("ui.done")}</Button>
      </DialogFooter>
    </div>
  );
}
