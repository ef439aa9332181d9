import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { caseChoicesQuery, datasetChoicesQuery } from "@/api/case-choices";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { SampleDraft } from "./sample";

const BY_HAND = "by-hand";

export interface SampleFieldsProps {
  slug: string;
  sample: SampleDraft;
  onSampleChanged: (sample: SampleDraft) => void;
}

function CaseSteps({ slug, sample, onSampleChanged }: SampleFieldsProps) {
  const { t } = useTranslation();
  const datasetId = sample.chosen?.datasetId ?? "";
  const cases = useQuery(caseChoicesQuery(slug, datasetId)).data ?? [];
  const index = cases.findIndex(({ id }) => id === sample.chosen?.case.id);
  const go = (next: number) => {
    const found = cases[next];
    if (found !== undefined) {
      onSampleChanged({ ...sample, chosen: { datasetId, case: found } });
    }
  };
  return (
    <div className="flex items-center gap-1">
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("scorers.bench.previousCase")}
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      >
        <ChevronLeft aria-hidden />
      </Button>
      <span role="status" className="text-xs text-ink-muted tabular-nums">
        {t("scorers.bench.caseOf", { number: index + 1, count: cases.length })}
      </span>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={t("scorers.bench.nextCase")}
        disabled={index >= cases.length - 1}
        onClick={() => go(index + 1)}
      >
        <ChevronRight aria-hidden />
      </Button>
    </div>
  );
}

/** Takes the sample from a dataset, case by case. */
function CasePicker(props: SampleFieldsProps) {
  const { slug, sample, onSampleChanged } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const datasets = useQuery(datasetChoicesQuery(slug));
  const filled = (datasets.data ?? []).filter(({ case_count }) => case_count > 0);
  const choose = async (datasetId: string) => {
    if (datasetId === BY_HAND) {
      onSampleChanged({ ...sample, chosen: null });
      return;
    }
    const [first] = await queryClient.query(caseChoicesQuery(slug, datasetId));
    if (first !== undefined) {
      onSampleChanged({ ...sample, chosen: { datasetId, case: first } });
    }
  };
  if (filled.length === 0) {
    return <LoadError queries={[datasets]} />;
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        size="sm"
        className="min-w-40 flex-1"
        aria-label={t("scorers.bench.dataset")}
        value={sample.chosen?.datasetId ?? BY_HAND}
        options={[
          { value: BY_HAND, label: t("scorers.bench.byHand") },
          ...filled.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValueChanged={(datasetId) => void choose(datasetId)}
      />
      {sample.chosen === null ? null : <CaseSteps {...props} />}
    </div>
  );
}

function CaseFacts({ chosen }: { chosen: NonNullable<SampleDraft["chosen"]> }) {
  const { t } = useTranslation();
  const { inputs, expected } = chosen.case;
  const facts: [string, string][] = [
    ...Object.entries(inputs).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
    [t("scorers.bench.expected"), expected ?? t("scorers.bench.noExpected")],
  ];
  return (
    <dl className="grid gap-2 rounded-lg border border-border bg-surface p-3 text-xs">
      {facts.map(([name, value]) => (
        <div key={name} className="grid gap-0.5">
          <dt className="font-medium text-ink-muted">{name}</dt>
          <dd className="line-clamp-6 wrap-anywhere whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Sample of a scorer trial: a case or entered text, and an answer. */
export function SampleFields(props: SampleFieldsProps) {
  const { sample, onSampleChanged } = props;
  const { t } = useTranslation();
  const expected = sample.chosen?.case.expected ?? null;
  return (
    <div className="grid gap-4">
      <CasePicker {...props} />
      {sample.chosen === null ? null : <CaseFacts chosen={sample.chosen} />}
      <Field required label={t("scorers.bench.answer")} hint={t("scorers.bench.answerHint")}>
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            value={sample.text}
            onChange={(event) => onSampleChanged({ ...sample, text: event.target.value })}
          />
        )}
      </Field>
      {expected === null || expected === sample.text ? null : (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          onClick={() => onSampleChanged({ ...sample, text: expected })}
        >
          {t("scorers.bench.useExpected")}
        </Button>
      )}
      {sample.chosen === null ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(["input", "expected"] as const).map((part) => (
            <Field key={part} label={t(`scorers.bench.${part}`)}>
              {(control) => (
                <Textarea
                  {...control}
                  rows={2}
                  value={sample[part]}
                  onChange={(event) => onSampleChanged({ ...sample, [part]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      ) : null}
    </div>
  );
}
