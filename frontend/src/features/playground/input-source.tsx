import { Database, Eye, TextCursorInput } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { formatNumber } from "@/lib/format";
import { DatasetPreview } from "./dataset-preview";
import type { Session } from "./session";

export const inputId = (name: string) => `playground-input-${name}`;

export interface InputSourceProps {
  slug: string;
  dataset: DatasetSummary | null;
  variables: readonly string[];
  inputs: Session["inputs"];
  editable: boolean;
  onInputsChanged: (inputs: Session["inputs"]) => void;
}

function ActiveDataset({ slug, dataset }: { slug: string; dataset: DatasetSummary }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-label={t("playground.dataset.active")}
      className="flex items-center gap-2.5 rounded-lg border border-border bg-surface px-3 py-2"
    >
      <Database aria-hidden className="size-4 shrink-0 text-ink-subtle" />
      <div className="grid min-w-0 flex-1">
        <span className="truncate text-sm font-medium">{dataset.name}</span>
        <span className="text-xs text-ink-muted">
          {t("playground.dataset.count", {
            count: dataset.case_count,
            number: formatNumber(dataset.case_count),
          })}
        </span>
      </div>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        <Eye aria-hidden />
        {t("playground.dataset.preview")}
      </Button>
      {isOpen ? (
        <DatasetPreview slug={slug} dataset={dataset} onClosed={() => setOpen(false)} />
      ) : null}
    </section>
  );
}

/** What fills the variables: a dataset, or a field for each where there is none. */
export function InputSource(props: InputSourceProps) {
  const { slug, dataset, variables, inputs, editable, onInputsChanged } = props;
  const { t } = useTranslation();
  if (dataset !== null) {
    return <ActiveDataset slug={slug} dataset={dataset} />;
  }
  if (variables.length === 0) {
    return <p className="text-xs text-ink-muted">{t("playground.inputs.none")}</p>;
  }
  return (
    <section aria-label={t("playground.inputs.title")} className="grid gap-3">
      <p className="flex items-center gap-1.5 text-xs text-ink-muted">
        <TextCursorInput aria-hidden className="size-3.5 shrink-0" />
        {t("playground.inputs.hint")}
      </p>
      {variables.map((name) => (
        <div key={name} className="grid gap-1">
          <Label htmlFor={inputId(name)} className="font-mono text-xs">
            {name}
          </Label>
          <Textarea
            id={inputId(name)}
            rows={2}
            readOnly={!editable}
            value={inputs[name] ?? ""}
            onChange={(event) => onInputsChanged({ ...inputs, [name]: event.target.value })}
            className="min-h-16"
          />
        </div>
      ))}
    </section>
  );
}
