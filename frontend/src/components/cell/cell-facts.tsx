import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OutputDetail } from "@/api/types";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { formatCost, formatNumber, formatSeconds } from "@/lib/format";

interface Fact {
  label: string;
  value: ReactNode;
}

function Facts({ facts }: { facts: readonly (Fact | null)[] }) {
  return (
    <dl className="grid divide-y divide-border text-sm">
      {facts
        .filter((fact) => fact !== null)
        .map(({ label, value }) => (
          <div key={label} className="flex items-start justify-between gap-4 py-1.5">
            <dt className="shrink-0 text-ink-muted">{label}</dt>
            <dd className="min-w-0 text-right wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const FINISHES = ["stop", "length", "tool_calls", "content_filter", "other"] as const;

/** Latency, tokens and cost of the answer. */
export function CellFacts({ output }: { output: OutputDetail }) {
  const { t } = useTranslation();
  const unknown = t("ui.unknown");
  const number = (value: number | null) => (value === null ? unknown : formatNumber(value));
  const seconds = (value: number | null) => (value === null ? unknown : formatSeconds(value));
  const finish = FINISHES.find((reason) => reason === output.finish_reason);
  return (
    <section aria-labelledby="cell-facts">
      <h3 id="cell-facts" className="pb-1 text-xs font-medium text-ink-muted">
        {t("runs.dialog.facts")}
      </h3>
      <Facts
        facts={[
          {
            label: t("runs.cost"),
            value: output.is_cached
              ? t("models.try.free")
              : output.cost_usd === null
                ? unknown
                : formatCost(output.cost_usd),
          },
          { label: t("models.try.latency"), value: seconds(output.latency_seconds) },
          output.first_token_seconds === null
            ? null
            : { label: t("models.try.firstToken"), value: seconds(output.first_token_seconds) },
          output.waited_seconds < 0.1
            ? null
            : { label: t("runs.dialog.waited"), value: seconds(output.waited_seconds) },
          { label: t("models.try.tokensIn"), value: number(output.input_tokens) },
          { label: t("models.try.tokensOut"), value: number(output.output_tokens) },
          (output.reasoning_tokens ?? 0) === 0
            ? null
            : { label: t("runs.dialog.reasoning"), value: number(output.reasoning_tokens) },
          output.attempts > 1
            ? { label: t("models.try.attempts"), value: number(output.attempts) }
            : null,
          finish === undefined
            ? null
            : { label: t("models.try.finish.label"), value: t(`models.try.finish.${finish}`) },
          output.provenance.credential === null
            ? null
            : { label: t("runs.dialog.credential"), value: output.provenance.credential },
          output.is_fallback
            ? { label: t("runs.dialog.answeredBy"), value: t("runs.cell.fallback") }
            : null,
        ]}
      />
    </section>
  );
}

function Digest({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <span className="flex items-center justify-end gap-1">
      <code className="text-xs">{value.slice(0, 12)}…</code>
      <CopyButton text={value} label={t("runs.dialog.copy", { what: label })} />
    </span>
  );
}

/** Provenance of the output: prompt, model, parameters, prices and digests. */
export function ProvenanceFacts({ output }: { output: OutputDetail }) {
  const { t } = useTranslation();
  const { provenance } = output;
  const unknown = t("ui.unknown");
  const digest = (label: string, value: string) => ({
    label,
    value: <Digest value={value} label={label} />,
  });
  return (
    <Facts
      facts={[
        { label: t("runs.origin.prompt"), value: provenance.prompt_label },
        {
          label: t("runs.origin.model"),
          value: [provenance.provider, provenance.model].filter(Boolean).join(" / "),
        },
        {
          label: t("runs.origin.parameters"),
          value: (
            <code className="text-xs">
              {Object.entries(provenance.parameters)
                .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
                .join(", ") || t("runs.none")}
            </code>
          ),
        },
        provenance.ignored_parameters.length === 0
          ? null
          : { label: t("models.try.ignored"), value: provenance.ignored_parameters.join(", ") },
        { label: t("runs.origin.request"), value: provenance.request_id ?? unknown },
        { label: t("runs.origin.prices"), value: provenance.price_version ?? unknown },
        digest(t("runs.origin.digest"), provenance.prompt_digest),
        digest(t("runs.origin.cacheKey"), provenance.cache_key),
        { label: t("runs.origin.code"), value: provenance.code_version },
        { label: t("runs.origin.created"), value: <RelativeTime iso={output.created_at} /> },
      ]}
    />
  );
}
