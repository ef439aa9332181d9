import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Database, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { problemMessage } from "@/api/problem-message";
import type { DatasetSummary } from "@/api/types";
import { Menu, MenuChoices, MenuItem, MenuSeparator } from "@/components/ui/dropdown-menu";
import { Spinner } from "@/components/ui/spinner";
import { toast } from "@/components/ui/toast";
import { formatNumber } from "@/lib/format";
import { PILL, PILL_TEXT } from "./pill";
import { uploadDataset } from "./upload-dataset";

const BY_HAND = "none";
const SHORT = 3000;
const FORMATS = ".csv,.tsv,.json,.jsonl,.ndjson,text/csv,application/json";

export interface DatasetMenuProps {
  slug: string;
  /** Undefined while they are loaded. */
  datasets: readonly DatasetSummary[] | undefined;
  datasetId: string | null;
  canUpload: boolean;
  disabled: boolean;
  onDatasetChosen: (datasetId: string | null) => void;
}

function useUpload({ slug, onDatasetChosen }: DatasetMenuProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (file: File) => {
    const controller = new AbortController();
    running.current = controller;
    setSending(true);
    try {
      const uploaded = await uploadDataset(slug, file, controller.signal);
      await queryClient.invalidateQueries({ queryKey: keys.datasets(slug) });
      if (uploaded.kind === "done") {
        const { dataset, count } = uploaded;
        onDatasetChosen(dataset.id);
        toast.success(t("playground.dataset.uploaded", { name: dataset.name, count }), {
          duration: SHORT,
        });
      } else {
        toast.warning(t("playground.dataset.unclear", { name: file.name }), {
          description: t("playground.dataset.unclearRows", {
            count: uploaded.bad,
            rows: uploaded.rows,
          }),
          duration: 12_000,
          action: {
            label: t("playground.dataset.review"),
            onClick: () =>
              void navigate({
                to: "/p/$slug/datasets",
                params: { slug },
                search: { create: "file" },
              }),
          },
        });
      }
    } catch (error) {
      if (!controller.signal.aborted) {
        toast.error(problemMessage(error), { duration: SHORT });
      }
    } finally {
      setSending(false);
    }
  };
  return { isSending, send };
}

/** Dataset picker with upload. */
export function DatasetMenu(props: DatasetMenuProps) {
  const { datasets = [], datasetId, canUpload, disabled, onDatasetChosen } = props;
  const { t } = useTranslation();
  const { isSending, send } = useUpload(props);
  const input = useRef<HTMLInputElement>(null);
  const chosen = datasets.find(({ id }) => id === datasetId);
  const isLoading = props.datasets === undefined && datasetId !== null;
  const name =
    chosen?.name ?? t(isLoading ? "playground.dataset.loading" : "playground.dataset.none");
  return (
    <>
      <Menu
        align="start"
        className="w-72"
        trigger={
          <button
            type="button"
            id="playground-dataset"
            disabled={disabled || isSending}
            aria-busy={isSending || undefined}
            aria-label={t("playground.dataset.label", { name })}
            title={name}
            className={PILL}
          >
            {isSending ? <Spinner /> : <Database aria-hidden />}
            <span className={PILL_TEXT}>{name}</span>
          </button>
        }
      >
        <MenuChoices
          label={t("playground.dataset.choose")}
          value={chosen?.id ?? BY_HAND}
          options={[
            { value: BY_HAND, label: t("playground.dataset.byHand") },
            ...datasets.map(({ id, name, case_count }) => ({
              value: id,
              label: `${name} (${formatNumber(case_count)})`,
            })),
          ]}
          onValueChanged={(value) => onDatasetChosen(value === BY_HAND ? null : value)}
        />
        {canUpload ? (
          <>
            <MenuSeparator />
            <MenuItem onSelect={() => input.current?.click()}>
              <Upload aria-hidden />
              {t("playground.dataset.upload")}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("playground.dataset.upload")}
        accept={FORMATS}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) {
            void send(file);
          }
        }}
      />
    </>
  );
}
