import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { abandonImport } from "@/api/case-imports";
import type { CaseImport } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { formatNumber } from "@/lib/format";
import type { DatasetAddress } from "@/api/case-imports";
import { ImportReview } from "./import-review";
import { ImportUpload } from "./import-upload";

export interface ImportDialogProps {
  at: DatasetAddress;
  /** Variables that the mapping must cover. */
  requiredVariables?: readonly string[];
  onClosed: () => void;
}

interface ImportDoneProps {
  committed: CaseImport;
  onAnotherWanted: () => void;
  onClosed: () => void;
}

function ImportDone({ committed, onAnotherWanted, onClosed }: ImportDoneProps) {
  const { t } = useTranslation();
  const { result } = committed;
  return (
    <div className="grid gap-5">
      <div
        role="status"
        className="flex items-start gap-3 rounded-lg bg-success-bg p-4 text-success"
      >
        <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0" />
        <div className="grid gap-1 text-sm">
          <p className="font-semibold">
            {t("datasets.import.added", {
              count: result?.added ?? 0,
              number: formatNumber(result?.added ?? 0),
            })}
          </p>
          {result?.bad_rows ? (
            <p>{t("datasets.import.skippedBad", { count: result.bad_rows })}</p>
          ) : null}
          {result?.copies ? (
            <p>{t("datasets.import.skippedCopies", { count: result.copies })}</p>
          ) : null}
        </div>
      </div>
      <p className="text-sm text-ink-muted">{t("datasets.import.undoHint")}</p>
      <DialogFooter>
        <Button variant="ghost" onClick={onAnotherWanted}>
          {t("datasets.import.another")}
        </Button>
        <Button onClick={onClosed}>{t("ui.done")}</Button>
      </DialogFooter>
    </div>
  );
}

/**
 * Imports cases from a file: upload, review, commit. Closing before the commit discards the file.
 */
export function ImportDialog({ at, requiredVariables = [], onClosed }: ImportDialogProps) {
  const { t } = useTranslation();
  const [uploaded, setUploaded] = useState<CaseImport | null>(null);
  const isCommitted = uploaded?.state === "committed";
  const abandon = () => {
    if (uploaded !== null && !isCommitted) {
      abandonImport(at, uploaded.id);
    }
    setUploaded(null);
  };
  const close = () => {
    abandon();
    onClosed();
  };
  return (
    <Dialog
      open
      onOpenChanged={close}
      closeOnOutside={false}
      width={uploaded === null || isCommitted ? "lg" : "xl"}
      title={t("datasets.import.title")}
      description={uploaded === null ? t("datasets.import.description") : uploaded.filename}
    >
      {uploaded === null ? (
        <ImportUpload at={at} onUploaded={setUploaded} />
      ) : isCommitted || uploaded.preview === null ? (
        <ImportDone committed={uploaded} onAnotherWanted={abandon} onClosed={onClosed} />
      ) : (
        <ImportReview
          at={at}
          requiredVariables={requiredVariables}
          uploaded={uploaded}
          preview={uploaded.preview}
          onChanged={setUploaded}
          onCommitted={setUploaded}
          onOtherFileWanted={abandon}
        />
      )}
    </Dialog>
  );
}
