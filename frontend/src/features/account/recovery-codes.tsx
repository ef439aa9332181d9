import { useTranslation } from "react-i18next";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DialogFooter } from "@/components/ui/dialog";

/** Shown once, right after creation. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-5">
      <Alert tone="warning">{t("account.secondFactor.codesOnce")}</Alert>
      <ul
        aria-label={t("account.secondFactor.codes")}
        className="grid gap-x-6 gap-y-1.5 rounded-lg bg-surface p-4 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFooter>
        <CopyButton
          withLabel
          size="md"
          variant="secondary"
          text={codes.join("\n")}
          label={t("account.secondFactor.copyCodes")}
        />
        <Button onClick={onDone}>{t("account.secondFactor.saved")}</Button>
      </DialogFooter>
    </div>
  );
}
