import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Model, ModelCapabilities } from "@/api/types";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { FormSkeleton } from "@/components/ui/skeleton";
import { LimitFields } from "./limit-fields";
import { parameterErrors, type ModelDraft } from "./model-draft";
import { PriceFields } from "./price-fields";

const CAPABILITIES: readonly (keyof ModelCapabilities)[] = [
  "json_output",
  "json_schema",
  "tools",
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "stop",
  "seed",
];

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-t border-border pt-5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

export interface ModelFormProps {
  slug: string;
  model: Model;
  draft: ModelDraft;
  onDraftChanged: (draft: ModelDraft) => void;
  errors: FieldErrors;
  editable: boolean;
}

function ParameterFields({ slug, model, draft, onDraftChanged, errors, editable }: ModelFormProps) {
  const { schema, isPending } = useParameterSchema(slug, model, {
    current: draft.parameters,
    capabilities: draft.capabilities,
  });
  if (isPending) {
    return <FormSkeleton fields={2} />;
  }
  return (
    <SchemaForm
      columns={2}
      schema={schema}
      value={draft.parameters}
      errors={parameterErrors(errors)}
      disabled={!editable}
      onValueChanged={(parameters) => onDraftChanged({ ...draft, parameters })}
    />
  );
}

export function ModelForm(props: ModelFormProps) {
  const { draft, onDraftChanged, errors, editable } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-6">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field required label={t("models.fields.displayName")} error={errors.display_name}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              readOnly={!editable}
              value={draft.displayName}
              onChange={(event) => onDraftChanged({ ...draft, displayName: event.target.value })}
            />
          )}
        </Field>
        <Field
          label={t("models.fields.contextWindow")}
          hint={t("models.fields.contextWindowHint")}
          error={errors.context_window}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              className="tabular-nums"
              readOnly={!editable}
              placeholder={t("models.unknown")}
              value={draft.contextWindow}
              onChange={(event) => onDraftChanged({ ...draft, contextWindow: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Section title={t("models.prices.title")}>
        <PriceFields {...props} />
      </Section>
      <Section title={t("models.parameters.title")}>
        <p className="text-xs text-ink-muted">{t("models.parameters.description")}</p>
        <ParameterFields {...props} />
      </Section>
      <Section title={t("models.limits.title")}>
        <LimitFields {...props} />
      </Section>
      <Section title={t("models.capabilities.title")}>
        <p className="text-xs text-ink-muted">{t("models.capabilities.description")}</p>
        <div className="grid gap-3 sm:grid-cols-2">
          {CAPABILITIES.map((name) => (
            <Checkbox
              key={name}
              label={t(`models.capabilities.${name}`)}
              checked={draft.capabilities[name]}
              disabled={!editable}
              onCheckedChanged={(accepted) =>
                onDraftChanged({
                  ...draft,
                  capabilities: { ...draft.capabilities, [name]: accepted },
                })
              }
            />
          ))}
        </div>
      </Section>
    </div>
  );
}
