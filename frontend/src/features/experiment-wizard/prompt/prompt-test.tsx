import { useQuery } from "@tanstack/react-query";
import { Play, Square } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import { TryAnswer } from "@/components/model-try/try-answer";
import { useTry } from "@/components/model-try/use-try";
import { findOccurrences, type Content } from "@/components/prompt-editor/content";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { valueText, type JsonValue } from "@/lib/template";
import type { Draft } from "../wizard-step";
import { useRendered } from "./use-rendered";

const BY_HAND = "by-hand";

export interface PromptTestProps {
  slug: string;
  content: Content;
  draft: Draft;
}

type Values = Readonly<Record<string, string>>;

function valuesOf(inputs: object | undefined): Values {
  return Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => [name, valueText(value as JsonValue)]),
  );
}

interface ExampleProps {
  names: readonly string[];
  cases: Draft["data"]["cases"];
  values: Values;
  onValuesChanged: (values: Values) => void;
}

function Example({ names, cases, values, onValuesChanged }: ExampleProps) {
  const { t } = useTranslation();
  const id = useId();
  const [chosen, setChosen] = useState(cases.length === 0 ? BY_HAND : "0");
  return (
    <div className="grid content-start gap-3">
      {cases.length === 0 ? null : (
        <Select
          size="sm"
          aria-label={t("wizard.prompt.testCase")}
          value={chosen}
          options={[
            ...cases.map((_, index) => ({
              value: String(index),
              label: t("wizard.prompt.caseNumber", { number: index + 1 }),
            })),
            { value: BY_HAND, label: t("prompts.preview.byHand") },
          ]}
          onValueChanged={(wanted) => {
            setChosen(wanted);
            if (wanted !== BY_HAND) {
              onValuesChanged(valuesOf(cases[Number(wanted)]?.inputs));
            }
          }}
        />
      )}
      {names.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("prompts.preview.noVariables")}</p>
      ) : null}
      {names.map((name) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="font-mono text-xs break-all text-ink-muted">
            {name}
          </label>
          <Textarea
            id={`${id}-${name}`}
            rows={1}
            className="[field-sizing:content] max-h-40 min-h-9 py-1.5"
            value={values[name] ?? ""}
            onChange={(event) => {
              setChosen(BY_HAND);
              onValuesChanged({ ...values, [name]: event.target.value });
            }}
          />
        </div>
      ))}
    </div>
  );
}

/** The prompt rendered with one case, and a trial of it with a model. */
export function PromptTest({ slug, content, draft }: PromptTestProps) {
  const { t } = useTranslation();
  const models = (useQuery(modelsQuery(slug)).data ?? []).filter(({ is_enabled }) => is_enabled);
  const { cases } = draft.data;
  const [values, setValues] = useState<Values>(() => valuesOf(cases[0]?.inputs));
  const [wanted, setModel] = useState<string | null>(null);
  const model = wanted ?? draft.models.models[0]?.model_id ?? models[0]?.id ?? null;
  const attempt = useTry(slug);
  const rendered = useRendered(slug, content, values);
  const ask = (isCacheBypassed: boolean) => {
    if (model !== null) {
      attempt.run({
        modelId: model,
        prompt: rendered.text,
        system: rendered.system,
        parameters: {},
        isCacheBypassed,
      });
    }
  };
  const isRunning = attempt.state.phase === "running";
  return (
    <section
      aria-label={t("wizard.prompt.test")}
      className="grid min-w-0 gap-4 rounded-xl border border-border bg-raised p-4"
    >
      <div className="grid min-w-0 gap-4 md:grid-cols-2">
        <Example
          names={[...findOccurrences(content).keys()]}
          cases={cases}
          values={values}
          onValuesChanged={setValues}
        />
        <div className="grid min-w-0 content-start gap-1">
          <span className="text-xs text-ink-muted">{t("wizard.prompt.rendered")}</span>
          <pre
            tabIndex={0}
            dir="auto"
            aria-label={t("wizard.prompt.rendered")}
            className="max-h-72 overflow-y-auto rounded-md bg-surface p-3 text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
          >
            {rendered.text}
          </pre>
          {rendered.problem === null ? null : <Alert tone="danger">{rendered.problem}</Alert>}
          {content.fewShots.length === 0 ? null : (
            <p className="text-xs text-ink-muted">{t("wizard.prompt.withoutExamples")}</p>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          size="sm"
          className="w-56"
          aria-label={t("models.try.model")}
          value={model ?? ""}
          placeholder={t("schemaForm.choose")}
          options={models.map(({ id, display_name }) => ({ value: id, label: display_name }))}
          onValueChanged={setModel}
        />
        {isRunning ? (
          <Button variant="secondary" size="sm" onClick={attempt.stop}>
            <Square aria-hidden />
            {t("models.try.stop")}
          </Button>
        ) : (
          <Button
            size="sm"
            disabled={model === null || content.text.trim() === "" || !rendered.isCurrent}
            onClick={() => ask(false)}
          >
            <Play aria-hidden />
            {t("wizard.prompt.ask")}
          </Button>
        )}
      </div>
      <TryAnswer state={attempt.state} onRunAgain={() => ask(true)} />
    </section>
  );
}
