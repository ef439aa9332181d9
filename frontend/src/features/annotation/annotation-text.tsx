import { useTranslation } from "react-i18next";
import type { AnnotationItem } from "@/api/types";
import { Markdown } from "@/components/markdown";
import { Segmented } from "@/components/ui/segmented";
import { TEXT_FORMS, type TextForm } from "./text-forms";

export interface OutputTextProps {
  item: AnnotationItem;
  form: TextForm;
  onFormChanged: (form: TextForm) => void;
}

/** Whether the output is the question itself, which is judged in place of an answer. */
const isQuestion = ({ inputs, text }: AnnotationItem) => Object.values(inputs).includes(text);

/** The answer to score, in a comfortable reading size. */
export function OutputText({ item, form, onFormChanged }: OutputTextProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="annotated-output" className="grid min-w-0 content-start gap-2">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        {/* Focused for every new output. */}
        <h2
          id="annotated-output"
          tabIndex={-1}
          data-annotation-start
          className="text-sm font-semibold outline-none"
        >
          {t(isQuestion(item) ? "annotation.work.question" : "annotation.work.output")}
        </h2>
        <Segmented
          label={t("annotation.work.form")}
          value={form}
          options={TEXT_FORMS.map((value) => ({
            value,
            label: t(`annotation.work.forms.${value}`),
          }))}
          onValueChanged={onFormChanged}
        />
      </div>
      <div
        dir="auto"
        className="rounded-lg border border-border bg-raised p-5 text-base leading-relaxed lg:p-6"
      >
        {item.text === "" ? (
          <p className="text-ink-subtle">{t("runs.cell.empty")}</p>
        ) : form === "markdown" ? (
          <Markdown text={item.text} />
        ) : (
          <p className="wrap-anywhere whitespace-pre-wrap">{item.text}</p>
        )}
      </div>
    </section>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label} className="grid gap-1.5">
      <h3 className="text-xs font-medium wrap-anywhere text-ink-muted">{label}</h3>
      <pre
        tabIndex={0}
        dir="auto"
        className="max-h-72 overflow-auto rounded-lg border border-border bg-surface p-3.5 font-sans text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </section>
  );
}

const shown = (value: unknown) =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);

/** Inputs and expected answer of the case. */
export function CaseText({ item }: { item: AnnotationItem }) {
  const { t } = useTranslation();
  return (
    <div className="grid content-start gap-4 max-lg:order-first">
      {Object.entries(item.inputs)
        .filter(([, value]) => value !== item.text)
        .map(([name, value]) => (
          <Part key={name} label={name} text={shown(value)} />
        ))}
      {item.expected === null ? null : (
        <Part label={t("annotation.work.expected")} text={item.expected} />
      )}
    </div>
  );
}
