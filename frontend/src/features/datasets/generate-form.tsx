import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { modelsQuery } from "@/api/models";
import type { DatasetVariable, GenerationEstimate, Model } from "@/api/types";
import { FormAlert } from "@/components/form-alert";
import { MissingModels } from "@/components/missing-models";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { formatCost, formatNumber } from "@/lib/format";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { keys } from "@/api/keys";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { KindFields, TextField } from "./generate-fields";
import { formProblems, newForm, toGeneration, type GenerateForm } from "./generate-form-state";
import { GENERATIONS } from "./generate-queries";
import { GENERATE_KINDS, type GenerateKind } from "./overlay";

export interface GenerateFormPanelProps {
  at: DatasetAddress;
  kind: GenerateKind;
  gap: string | undefined;
  variables: readonly DatasetVariable[];
  /** Initial values, where more is known than from the dataset. */
  begin: Partial<GenerateForm>;
  onKindChanged: (kind: GenerateKind) => void;
  onStarted: (generationId: string) => void;
  onClosed: () => void;
}

/** Errors by the last path segment: the kind before it is the same for all fields. */
function fieldErrors(error: unknown): Partial<Record<string, string>> {
  if (error === null) {
    return {};
  }
  const entries = asProblem(error).fields.map(({ field, message }) => [
    field.split(".").find((part) => !isKind(part)) ?? field,
    message,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

const isKind = (part: string) => GENERATE_KINDS.some((kind) => kind === part) || part === "body";

/** Scrolls to the estimate, which appears below the fold on small screens. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "end" });
}

function Estimate({ estimate }: { estimate: GenerationEstimate }) {
  const { t } = useTranslation();
  const { cost_usd: cost, calls, seconds, assumptions } = estimate;
  return (
    <section
      ref={bringIntoView}
      role="status"
      aria-label={t("datasets.generate.estimate.title")}
      className="grid scroll-mb-24 gap-2 rounded-lg border border-border bg-surface p-4 text-sm"
    >
      <p className="font-semibold">
        {cost === null
          ? t("datasets.generate.estimate.unknown")
          : t("datasets.generate.estimate.cost", {
              low: formatCost(cost.low),
              high: formatCost(cost.high),
            })}
      </p>
      <p className="text-ink-muted">
        {t("datasets.generate.estimate.calls", {
          low: formatNumber(calls.low),
          high: formatNumber(calls.high),
          fast: formatNumber(seconds.low),
          slow: formatNumber(seconds.high),
        })}
      </p>
      <ul className="list-disc pl-5 text-xs text-ink-muted">
        {assumptions.map((assumption) => (
          <li key={assumption}>{assumption}</li>
        ))}
      </ul>
    </section>
  );
}

function ModelField(props: {
  models: readonly Model[];
  form: GenerateForm;
  error: string | undefined;
  onFormChanged: (form: GenerateForm) => void;
}) {
  const { models, form, error, onFormChanged } = props;
  const { t } = useTranslation();
  const chosen = models.find(({ id }) => id === form.modelId);
  return (
    <Field
      required
      error={error}
      label={
        <span className="inline-flex items-center gap-2">
          {t("datasets.generate.fields.model")}
          {chosen?.is_simulated === true ? <SimulatedBadge /> : null}
        </span>
      }
    >
      {(control) => (
        <ModelSelect
          {...control}
          models={models}
          chosen={form.modelId}
          onChosen={(modelId) => onFormChanged({ ...form, modelId })}
        />
      )}
    </Field>
  );
}

function Form(props: GenerateFormPanelProps & { models: readonly Model[] }) {
  const { at, kind, gap, variables, begin, models, onKindChanged, onStarted, onClosed } = props;
  const { t } = useTranslation();
  const estimate = useChange("post", `${GENERATIONS}/estimate`, datasetPath(at), { refresh: [] });
  const generate = useChange("post", GENERATIONS, datasetPath(at), {
    refresh: [keys.generations(at.slug)],
  });
  const first = models.find((model) => model.is_default) ?? models[0];
  const [form, setForm] = useState(() => ({ ...newForm(kind, first?.id ?? "", gap), ...begin }));
  const [isTried, setTried] = useState(false);
  const shown = { ...form, kind };
  const problems = isTried ? formProblems(shown) : {};
  const refusal = generate.error ?? estimate.error;
  const errors = {
    ...fieldErrors(refusal),
    ...Object.fromEntries(
      Object.entries(problems).map(([field, wrong]) => [
        field,
        wrong === undefined ? "" : t(`datasets.generate.wrong.${wrong}`),
      ]),
    ),
  };
  const change = (next: GenerateForm) => {
    estimate.reset();
    generate.reset();
    setForm(next);
  };
  const submit = () => {
    setTried(true);
    if (Object.keys(formProblems(shown)).length > 0 || estimate.isPending || generate.isPending) {
      return;
    }
    if (estimate.data === undefined) {
      estimate.mutate({ body: toGeneration(shown) });
    } else {
      generate.mutate({ body: toGeneration(shown) }, { onSuccess: ({ id }) => onStarted(id) });
    }
  };
  const fields = { slug: at.slug, form: shown, onFormChanged: change, errors };
  const isUnplaced = refusal !== null && Object.keys(fieldErrors(refusal)).length === 0;
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="overflow-x-auto">
        <Segmented
          label={t("datasets.generate.kind")}
          value={kind}
          options={GENERATE_KINDS.map((value) => ({
            value,
            label: t(`datasets.generate.kinds.${value}.name`),
          }))}
          onValueChanged={(next) => {
            estimate.reset();
            setTried(false);
            onKindChanged(next);
          }}
        />
      </div>
      <p className="text-sm text-ink-muted">{t(`datasets.generate.kinds.${kind}.hint`)}</p>
      <FormAlert message={isUnplaced ? problemMessage(refusal) : null} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <ModelField models={models} form={shown} error={errors.model_id} onFormChanged={change} />
        <TextField {...fields} name="count" required />
      </div>
      <KindFields {...fields} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {variables.length === 0 && kind !== "adversarial" ? (
          <TextField {...fields} name="variables" required={kind !== "questions"} />
        ) : null}
        <TextField {...fields} name="tags" />
      </div>
      <Switch
        label={t("datasets.generate.fields.withExpected")}
        description={t("datasets.generate.hints.withExpected")}
        checked={form.withExpected}
        onCheckedChanged={(withExpected) => change({ ...form, withExpected })}
      />
      {estimate.data === undefined ? null : <Estimate estimate={estimate.data} />}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" loading={estimate.isPending || generate.isPending}>
          {estimate.data === undefined
            ? t("datasets.generate.estimate.action")
            : t("datasets.generate.submit", { count: Number(form.count) })}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Generation form; the first click shows the estimate, the second one starts. */
export function GenerateFormPanel(props: GenerateFormPanelProps) {
  const models = useQuery(modelsQuery(props.at.slug));
  if (models.isPending) {
    return <FormSkeleton />;
  }
  if (models.isError) {
    return <ProblemState error={models.error} onRetry={() => void models.refetch()} />;
  }
  const enabled = models.data.filter((model) => model.is_enabled);
  if (enabled.length === 0) {
    return <MissingModels slug={props.at.slug} keepsPage />;
  }
  return <Form {...props} models={enabled} />;
}
