import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ScorerTrial } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { formatScore } from "@/components/score-scale";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Disclosure } from "@/components/ui/disclosure";
import { formatCost } from "@/lib/format";

function Criteria({ criteria }: { criteria: ScorerTrial["criteria"] }) {
  return (
    <ul className="grid gap-3">
      {Object.entries(criteria).map(([name, { value, raw, rationale }]) => (
        <li key={name} className="grid gap-1">
          <span className="flex items-center justify-between gap-3 text-sm">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="flex items-center gap-2">
              <span className="text-xs text-ink-muted tabular-nums">{raw}</span>
              <ScoreBadge label={name} value={value} passed={null} />
            </span>
          </span>
          {rationale ? (
            <span className="text-xs wrap-anywhere text-ink-muted">{rationale}</span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function LabelledText({ title, text }: { title: string; text: string }) {
  return (
    <div className="grid gap-1">
      <h4 className="text-xs font-medium text-ink-muted">{title}</h4>
      <pre
        tabIndex={0}
        className="max-h-64 overflow-auto rounded-md bg-surface p-3 text-xs wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
    </div>
  );
}

/** Prompts and answers of the models behind a score. */
function Questions({ questions }: { questions: ScorerTrial["questions"] }) {
  const { t } = useTranslation();
  return (
    <Disclosure label={t("scorers.bench.asked", { count: questions.length })}>
      <ol className="grid gap-6">
        {questions.map((question, index) => (
          <li key={index} className="grid gap-3">
            <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
              {question.model}
              {question.is_simulated ? <SimulatedBadge /> : null}
              {question.is_cached ? <Badge>{t("scorers.bench.cached")}</Badge> : null}
            </h3>
            {question.system === null ? null : (
              <LabelledText title={t("scorers.bench.system")} text={question.system} />
            )}
            <LabelledText title={t("scorers.bench.question")} text={question.text} />
            <LabelledText
              title={t("scorers.bench.said")}
              text={question.answer ?? question.failure ?? ""}
            />
          </li>
        ))}
      </ol>
    </Disclosure>
  );
}

export interface BenchResultProps {
  trial: ScorerTrial;
  /** The answer or the scorer changed since the trial. */
  isOld: boolean;
  onAskedAnew: () => void;
}

export function BenchResult({ trial, isOld, onAskedAnew }: BenchResultProps) {
  const { t } = useTranslation();
  const { value, is_passed, flag, rationale, criteria, cost_usd, questions } = trial;
  const hasCriteria = Object.keys(criteria).length > 0;
  return (
    <div
      aria-busy={isOld}
      className={`grid gap-4 transition-opacity ${isOld ? "opacity-50" : "opacity-100"}`}
    >
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-3xl font-semibold tabular-nums">
          {value === null ? "–" : formatScore(value)}
        </span>
        {is_passed === null ? null : (
          <Badge tone={is_passed ? "success" : "danger"}>
            {t(is_passed ? "scorers.bench.passed" : "scorers.bench.failed")}
          </Badge>
        )}
        {flag === null ? null : (
          <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
            {flag.replaceAll("_", " ")}
          </Badge>
        )}
        <span className="ml-auto text-xs text-ink-muted">
          {questions.length === 0
            ? t("scorers.costs.free")
            : cost_usd === null
              ? t("scorers.bench.unpriced")
              : formatCost(cost_usd)}
        </span>
      </div>
      {rationale && !hasCriteria ? (
        <p className="text-sm wrap-anywhere whitespace-pre-wrap">{rationale}</p>
      ) : null}
      {hasCriteria ? <Criteria criteria={criteria} /> : null}
      {questions.length === 0 ? null : <Questions questions={questions} />}
      {questions.some(({ is_cached }) => is_cached) ? (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={onAskedAnew}>
          {t("scorers.bench.rerun")}
        </Button>
      ) : null}
    </div>
  );
}
