import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Flag } from "lucide-react";
import { useTranslation } from "react-i18next";
import { caseQuery } from "@/api/run-rows";
import type { SideCase } from "@/api/types";
import { inputText } from "@/components/grid/case-header";
import { outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Skeleton } from "@/components/ui/skeleton";
import { formatNumber } from "@/lib/format";

export interface CaseCardProps {
  slug: string;
  runId: string;
  shown: SideCase;
  at: number;
  total: number;
  hasPrevious: boolean;
  hasNext: boolean;
  onPrevious: () => void;
  onNext: () => void;
}

function Steps({ at, total, hasPrevious, hasNext, onPrevious, onNext }: CaseCardProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-1">
      <Button
        size="sm"
        variant="ghost"
        iconOnly
        disabled={!hasPrevious}
        aria-label={t("iterations.outputs.previous")}
        onClick={onPrevious}
      >
        <ChevronLeft aria-hidden />
      </Button>
      <span role="status" className="px-1 text-sm tabular-nums">
        {t("iterations.outputs.place", {
          number: formatNumber(at + 1),
          total: formatNumber(total),
        })}
      </span>
      <Button
        size="sm"
        variant="ghost"
        iconOnly
        disabled={!hasNext}
        aria-label={t("iterations.outputs.next")}
        onClick={onNext}
      >
        <ChevronRight aria-hidden />
      </Button>
      <span aria-hidden className="ml-1 hidden gap-1 md:flex">
        <Kbd keys="j" />
        <Kbd keys="k" />
      </span>
    </div>
  );
}

function Marks({ shown }: { shown: SideCase }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {shown.is_flagged ? (
        <Badge tone="warning" icon={<Flag aria-hidden />}>
          {t("iterations.outputs.isFlagged")}
        </Badge>
      ) : null}
      {shown.difficulty === null ? null : (
        <Badge>{t("iterations.outputs.difficulty", { value: shown.difficulty })}</Badge>
      )}
      {shown.tags.map((tag) => (
        <Badge key={tag} tone="outline">
          {tag}
        </Badge>
      ))}
      {shown.score === null ? null : (
        <span className="text-xs text-ink-muted tabular-nums">
          {t("iterations.outputs.mean", { score: outOfTen(shown.score) })}
          {shown.difference === null
            ? null
            : ` · ${t("iterations.outputs.spread", { value: outOfTen(shown.difference) })}`}
        </span>
      )}
    </span>
  );
}

/** The case; stays in view while answers scroll. */
export function CaseCard(props: CaseCardProps) {
  const { slug, runId, shown } = props;
  const { t } = useTranslation();
  const row = useQuery(caseQuery({ slug, runId }, shown.position)).data;
  return (
    <section
      aria-label={t("iterations.outputs.case")}
      className="sticky top-14 z-10 grid gap-3 rounded-xl border border-border bg-raised p-4 shadow-sm"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Steps {...props} />
        <Marks shown={shown} />
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-label={t("iterations.outputs.input")}
        className="max-h-40 overflow-y-auto rounded-sm"
      >
        {row === undefined ? (
          <Skeleton className="h-12" />
        ) : (
          <dl className="grid gap-2 text-sm">
            {Object.entries(row.inputs).map(([name, value]) => (
              <div key={name} className="grid gap-0.5">
                <dt className="text-xs font-medium text-ink-muted">{name}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap">{inputText(value)}</dd>
              </div>
            ))}
            {row.expected === null ? null : (
              <div className="grid gap-0.5">
                <dt className="text-xs font-medium text-ink-muted">{t("runs.dialog.expected")}</dt>
                <dd className="wrap-anywhere whitespace-pre-wrap text-ink-muted">{row.expected}</dd>
              </div>
            )}
          </dl>
        )}
      </div>
    </section>
  );
}
