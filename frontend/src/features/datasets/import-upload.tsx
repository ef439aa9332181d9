import { FileUp } from "lucide-react";
import { useEffect, useId, useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { uploadImport } from "@/api/case-imports";
import type { CaseImport } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { cn } from "@/lib/cn";
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
  const id = useId();
  const { sending, error, send, cancel } = useUpload(props);
  const [isOver, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) {
      void send(file);
    }
  };
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
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cn(
          "grid cursor-pointer justify-items-center gap-3 rounded-xl border-2 border-dashed px-6 py-14 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
          isOver ? "border-accent-solid bg-accent-bg" : "border-border-strong hover:bg-surface",
        )}
      >
        <FileUp aria-hidden className="size-8 text-ink-subtle" />
        <span className="text-sm">
          <span className="font-medium">{t("datasets.import.drop")}</span>{" "}
          <span className="font-medium text-accent-ink underline">
            {t("datasets.import.browse")}
          </span>
        </span>
        <span className="max-w-md text-xs text-ink-muted">{t("datasets.import.formats")}</span>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file !== undefined) {
              void send(file);
            }
          }}
        />
      </label>
    </div>
  );
}
