import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { uploadImport } from "@/api/case-imports";
import type { CaseImport } from "@/api/types";
import { FileDrop } from "@/components/file-drop";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatPercent } from "@/lib/format";
import type { DatasetAddress } from "@/api/case-imports";
import { explain } from "./use-save-case";

export interface ImportUploadProps {
  at: DatasetAddress;
  onUploaded: (uploaded: CaseImport) => void;
}

interface Sending {
  name: string;
  share: number;
}

function useUpload({ at, onUploaded }: ImportUploadProps) {
  const [sending, setSending] = useState<Sending | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (file: File) => {
    const controller = new AbortController();
    running.current?.abort();
    running.current = controller;
    setError(null);
    setSending({ name: file.name, share: 0 });
    try {
      const uploaded = await uploadImport(at, file, {
        signal: controller.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      onUploaded(uploaded);
    } catch (failure) {
      if (!controller.signal.aborted) {
        setError(failure);
      }
    } finally {
      if (running.current === controller) {
        running.current = null;
        setSending(null);
      }
    }
  };
  return { sending, error, send, cancel: () => running.current?.abort() };
}

function SendingFile({ sending, onCancelled }: { sending: Sending; onCancelled: () => void }) {
  const { t } = useTranslation();
  const isReading = sending.share >= 1;
  return (
    <div className="grid gap-3 rounded-xl border border-border p-6">
      <p role="status" className="text-sm">
        <span className="font-medium wrap-anywhere">{sending.name}</span>{" "}
        <span className="text-ink-muted">
          {isReading ? t("datasets.import.reading") : t("datasets.import.uploading")}
        </span>
      </p>
      <Progress
        label={t("datasets.import.uploading")}
        value={isReading ? null : Math.round(sending.share * 100)}
      />
      <div className="flex items-center justify-between">
        <span className="text-xs text-ink-muted tabular-nums">{formatPercent(sending.share)}</span>
        <Button variant="ghost" size="sm" onClick={onCancelled}>
          {t("ui.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** Drop zone and file picker, with upload progress. */
export function ImportUpload(props: ImportUploadProps) {
  const { t } = useTranslation();
  const { sending, error, send, cancel } = useUpload(props);
  if (sending !== null) {
    return <SendingFile sending={sending} onCancelled={cancel} />;
  }
  return (
    <div className="grid gap-4">
      {error === null ? null : (
        <Alert tone="danger" title={t("datasets.import.refused")}>
          {explain(error)}
        </Alert>
      )}
      <FileDrop
        label={t("datasets.import.drop")}
        browse={t("datasets.import.browse")}
        hint={t("datasets.import.formats")}
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
        onChosen={(file) => void send(file)}
      />
    </div>
  );
}
