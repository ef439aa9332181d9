import { useTranslation } from "react-i18next";
import { CaseTexts } from "@/components/cell/case-texts";
import type { CaseInfo } from "@/components/grid/rows";
import { Dialog } from "@/components/ui/dialog";

/** Details of a row's case. */
export function CaseDialog({ info, onClosed }: { info: CaseInfo; onClosed: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      width="lg"
      onOpenChanged={onClosed}
      title={t("playground.grid.caseTitle", { number: info.position + 1 })}
      description={t("playground.grid.caseHint")}
    >
      <CaseTexts row={info} />
    </Dialog>
  );
}
