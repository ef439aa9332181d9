import { Play, Square } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import type { FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { validate, type FieldErrors } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { Drawer } from "@/components/ui/drawer";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Textarea } from "@/components/ui/textarea";
import { modKey } from "@/lib/shortcuts";
import { TryAnswer } from "@/components/model-try/try-answer";
import { useTry } from "@/components/model-try/use-try";

export interface TryDrawerProps {
  slug: string;
  models: readonly Model[];
  /** Model id; the model may have been deleted since. */
  chosen: string;
  onChosenChanged: (modelId: string) => void;
  onClosed: () => void;
}

type TryForm = ReturnType<typeof useTryForm>;

/** Optional settings. */
function Options({ form }: { form: TryForm }) {
  const { t } = useTranslation();
  const { parameterErrors } = form;
  return (
    <Disclosure
      label={t("models.try.options")}
      forcedOpen={Object.keys(parameterErrors).length > 0}
    >
      <div className="grid gap-5">
        <Field label={t("models.try.system")} hint={t("models.try.systemHint")}>
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              value={form.system}
              onChange={(event) => form.setSystem(event.target.value)}
            />
          )}
        </Field>
        <p className="text-xs text-ink-muted">{t("models.try.parametersHint")}</p>
        <SchemaForm
          columns={2}
          schema={form.schema}
          value={form.parameters}
          errors={parameterErrors}
          onValueChanged={form.setParameterValues}
        />
      </div>
    </Disclosure>
  );
}

function useTryForm({ slug, models, chosen }: TryDrawerProps) {
  const { t } = useTranslation();
  const { state, run, stop } = useTry(slug);
  const [prompt, setPrompt] = useState("");
  const [system, setSystem] = useState("");
  const [parameters, setParameterValues] = useState<FormValue>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const model = models.find((candidate) => candidate.id === chosen);
  const { schema } = useParameterSchema(slug, model, { current: parameters, showsOwn: true });
  const submit = (isCacheBypassed: boolean) => {
    const found = validate(parameters, schema);
    if (prompt.trim() === "") {
      found.prompt = t("schemaForm.required");
    }
    setErrors(found);
    if (model !== undefined && Object.keys(found).length === 0) {
      run({
        modelId: model.id,
        prompt,
        system,
        parameters: setParameters(parameters),
        isCacheBypassed,
      });
    }
  };
  const { prompt: promptError, ...parameterErrors } = errors;
  return {
    state,
    stop,
    submit,
    model,
    schema,
    prompt,
    setPrompt,
    system,
    setSystem,
    parameters,
    setParameterValues,
    promptError,
    parameterErrors,
  };
}

/** Sends one question to a model and streams the answer. */
export function TryDrawer(props: TryDrawerProps) {
  const { models, onChosenChanged, onClosed } = props;
  const { t } = useTranslation();
  const form = useTryForm(props);
  const { state, model } = form;
  const isRunning = state.phase === "running";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      form.submit(false);
    }
  };
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      className="max-w-2xl"
      title={t("models.try.title")}
      description={t("models.try.description")}
    >
      <form
        noValidate
        className="grid gap-5"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(false);
        }}
      >
        <Field
          required
          label={t("models.try.model")}
          error={model === undefined ? t("models.missing.body") : undefined}
        >
          {(control) => (
            <ModelSelect
              {...control}
              models={models}
              chosen={model?.id ?? null}
              onChosen={onChosenChanged}
            />
          )}
        </Field>
        <Field required label={t("models.try.prompt")} error={form.promptError}>
          {(control) => (
            <Textarea
              {...control}
              rows={4}
              autoFocus
              value={form.prompt}
              onChange={(event) => form.setPrompt(event.target.value)}
            />
          )}
        </Field>
        <Options form={form} />
        <div className="flex items-center justify-end gap-3">
          <span aria-hidden className="text-xs text-ink-muted">
            <Kbd keys={`${modKey} ↵`} />
          </span>
          {/* One button that never submits: with two, the click on Stop would submit again. */}
          <Button
            variant={isRunning ? "secondary" : "primary"}
            disabled={model === undefined}
            onClick={isRunning ? form.stop : () => form.submit(false)}
          >
            {isRunning ? <Square aria-hidden /> : <Play aria-hidden />}
            {isRunning ? t("models.try.stop") : t("models.try.run")}
          </Button>
        </div>
        <TryAnswer state={state} onRunAgain={() => form.submit(true)} />
      </form>
    </Drawer>
  );
}
