import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BenchRefused } from "@/components/scorer-bench/bench-refused";
import { BenchResult } from "@/components/scorer-bench/bench-result";
import { Label } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Select } from "@/components/ui/select";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { EXAMPLES, FORMS } from "./template";
import type { GraderBench } from "./use-grader-bench";

interface TextFieldProps {
  label: ReactNode;
  value: string;
  rows?: number;
  onChanged: (value: string) => void;
}

function TextField({ label, value, rows = 2, onChanged }: TextFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      <Textarea
        id={id}
        rows={rows}
        value={value}
        onChange={(event) => onChanged(event.target.value)}
      />
    </div>
  );
}

function Settings({ bench }: { bench: GraderBench }) {
  const { t } = useTranslation();
  const { sample, setSample } = bench;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="grid content-start gap-1.5">
        <span className="text-sm font-medium">{t("playground.graderBench.model")}</span>
        <ModelSelect
          aria-label={t("playground.graderBench.model")}
          models={bench.usable}
          chosen={bench.modelId}
          onChosen={(modelId) => setSample({ ...sample, modelId })}
        />
      </div>
      <div className="grid content-start gap-1.5">
        <span className="text-sm font-medium">{t("playground.graderBench.form")}</span>
        <Select
          aria-label={t("playground.graderBench.form")}
          value={sample.form}
          options={FORMS.map((form) => ({
            value: form,
            label: t(`playground.graderBench.forms.${form}`),
          }))}
          onValueChanged={(form) => setSample({ ...sample, form })}
        />
      </div>
      <div className="grid gap-1.5 sm:col-span-2">
        <p className="text-xs text-ink-muted">{t("playground.graderBench.formHint")}</p>
        <pre
          aria-label={t("playground.graderBench.example")}
          className="rounded-md bg-surface p-3 text-xs whitespace-pre-wrap"
        >
          {EXAMPLES[sample.form]}
        </pre>
      </div>
    </div>
  );
}

function Result({ bench: { trial, isAsked, ask } }: { bench: GraderBench }) {
  const { t } = useTranslation();
  if (!isAsked) {
    return null;
  }
  return (
    <section aria-live="polite" className="grid gap-4 border-t border-border pt-5">
      <h3 className="text-sm font-semibold">{t("playground.graderBench.result")}</h3>
      {trial.isError ? (
        <BenchRefused error={trial.error} />
      ) : trial.data === undefined ? (
        <LoadingStatus>
          <Skeleton className="h-9 w-24" />
        </LoadingStatus>
      ) : (
        <BenchResult
          trial={trial.data}
          isOld={trial.isPlaceholderData}
          onAskedAnew={() => ask(true)}
        />
      )}
    </section>
  );
}

/** Takes the place of the answers while a grader is written: an answer, and its verdict. */
export function GraderPanel({ bench }: { bench: GraderBench }) {
  const { t } = useTranslation();
  const { sample, setSample, names } = bench;
  return (
    <div className="grid max-w-3xl grid-cols-1 content-start gap-5 overflow-y-auto p-5">
      <div className="grid gap-1">
        <h2 className="text-base font-semibold">{t("playground.graderBench.title")}</h2>
        <p className="text-sm text-ink-muted">{t("playground.graderBench.hint")}</p>
      </div>
      <TextField
        label={t("playground.graderBench.answer")}
        rows={5}
        value={sample.answer}
        onChanged={(answer) => setSample({ ...sample, answer })}
      />
      <TextField
        label={t("playground.graderBench.expected")}
        value={sample.expected}
        onChanged={(expected) => setSample({ ...sample, expected })}
      />
      {names.map((name) => (
        <TextField
          key={name}
          label={<span className="font-mono text-xs">{name}</span>}
          value={sample.inputs[name] ?? ""}
          onChanged={(value) =>
            setSample({ ...sample, inputs: { ...sample.inputs, [name]: value } })
          }
        />
      ))}
      <Settings bench={bench} />
      <Result bench={bench} />
    </div>
  );
}
