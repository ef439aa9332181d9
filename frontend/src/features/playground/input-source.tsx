import { Database, Eye, TextCursorInput } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetSummary } from "@/api/types";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
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
  entered: Entered;
  editable: boolean;
  onEnteredChanged: (entered: Entered) => void;
}

/** The row entered by hand. */
type Entered = Pick<Session, "inputs" | "expected">;

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

/** Source of the inputs: a dataset, or one field per variable. */
export function InputSource(props: InputSourceProps) {
  const { slug, dataset, variables, entered, editable, onEnteredChanged } = props;
  const { t } = useTranslation();
  if (dataset !== null) {
    return <ActiveDataset slug={slug} dataset={dataset} />;
  }
  return (
    <section aria-label={t("playground.inputs.title")} className="grid gap-3">
      <p className="flex items-center gap-1.5 text-xs text-ink-muted">
        <TextCursorInput aria-hidden className="size-3.5 shrink-0" />
        {t(variables.length === 0 ? "playground.inputs.none" : "playground.inputs.hint")}
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
            value={entered.inputs[name] ?? ""}
            onChange={(event) =>
              onEnteredChanged({
                ...entered,
                inputs: { ...entered.inputs, [name]: event.target.value },
              })
            }
            className="min-h-16"
          />
        </div>
      ))}
      <Disclosure label={t("playground.inputs.expected")} forcedOpen={entered.expected !== ""}>
        <Textarea
          rows={2}
          readOnly={!editable}
          aria-label={t("playground.inputs.expected")}
          placeholder={t("playground.inputs.expectedHint")}
          value={entered.expected}
          onChange={(event) => onEnteredChanged({ ...entered, expected: event.target.value })}
          className="min-h-16"
        />
      </Disclosure>
    </section>
  );
}
