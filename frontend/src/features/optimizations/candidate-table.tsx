import { useTranslation } from "react-i18next";
import type { Candidate, Optimization } from "@/api/types";
import { Section } from "@/components/results/section";
import { changeOutOfTen, formatScore, outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Table, type Column } from "@/components/ui/table";
import { withoutListMarks } from "@/lib/markdown";

/** The name of a candidate, and how it came about. */
export function useCandidateWords() {
  const { t } = useTranslation();
  const nameOf = (number: number) =>
    number === 0 ? t("optimizations.base") : t("optimizations.candidate", { number });
  return {
    nameOf,
    originOf: ({ origin, operator, parents }: Candidate) => {
      if (origin !== "strategy") {
        return t(`optimizations.origins.${origin}`);
      }
      return t(`optimizations.operators.${operator ?? "edit"}`, {
        parents: parents.map(nameOf).join(", "),
      });
    },
    droppedWhy: ({ rival, difference, cases }: NonNullable<Candidate["elimination"]>) =>
      t("optimizations.dropped", {
        rival: nameOf(rival),
        difference: outOfTen(-difference),
        count: cases,
      }),
  };
}

/** Finalist, best so far, waiting, measured, or dropped and why. */
export function CandidateStatus(props: {
  candidate: Candidate;
  isFinalist: boolean;
  isBest: boolean;
}) {
  const { candidate, isFinalist, isBest } = props;
  const { t } = useTranslation();
  const { droppedWhy } = useCandidateWords();
  if (candidate.elimination !== null) {
    return (
      <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
        <Badge tone="neutral">{t("optimizations.candidateStates.dropped")}</Badge>
        <span className="text-xs text-ink-muted">{droppedWhy(candidate.elimination)}</span>
      </span>
    );
  }
  if (isFinalist || isBest) {
    return (
      <Badge tone="success">
        {t(`optimizations.candidateStates.${isFinalist ? "finalist" : "best"}`)}
      </Badge>
    );
  }
  return <Badge tone="outline">{t(`optimizations.candidateStates.${candidate.state}`)}</Badge>;
}

function gainWords({ gain, gain_low: low, gain_high: high }: Candidate): string {
  if (gain === null) {
    return "—";
  }
  return low === null || high === null
    ? changeOutOfTen(gain)
    : `${changeOutOfTen(gain)} (${changeOutOfTen(low)} … ${changeOutOfTen(high)})`;
}

export interface CandidateTableProps {
  optimization: Optimization;
  onOpened: (number: number) => void;
}

/** All candidates, with who was dropped and why. */
export function CandidateTable({ optimization, onOpened }: CandidateTableProps) {
  const { t } = useTranslation();
  const { nameOf, originOf } = useCandidateWords();
  const { candidate_list: candidates, finalist, progress } = optimization;
  const best = progress.at(-1)?.best ?? 0;
  if (candidates.length === 0) {
    return null;
  }
  const columns: Column<Candidate>[] = [
    {
      key: "candidate",
      header: t("optimizations.columns.candidate"),
      primary: true,
      className: "lg:w-2/5",
      cell: (candidate) => (
        <span className="grid justify-items-start gap-0.5">
          <button
            type="button"
            className="rounded-sm text-left font-medium text-accent-ink hover:underline"
            onClick={() => onOpened(candidate.number)}
          >
            {nameOf(candidate.number)}
          </button>
          <span className="text-xs text-ink-muted">{originOf(candidate)}</span>
          {candidate.origin === "base" || candidate.note === "" ? null : (
            <span className="line-clamp-2 text-xs wrap-anywhere text-ink-muted">
              {withoutListMarks(candidate.note)}
            </span>
          )}
        </span>
      ),
    },
    {
      key: "generation",
      header: t("optimizations.columns.generation"),
      align: "right",
      cell: ({ generation }) => <span className="tabular-nums">{generation}</span>,
    },
    {
      key: "mean",
      header: t("optimizations.columns.mean"),
      align: "right",
      cell: ({ mean }) => (
        <span className="whitespace-nowrap tabular-nums">
          {mean === null ? "—" : formatScore(mean)}
        </span>
      ),
    },
    {
      key: "gain",
      header: t("optimizations.columns.gain"),
      align: "right",
      cell: (candidate) => (
        <span className="whitespace-nowrap tabular-nums">{gainWords(candidate)}</span>
      ),
    },
    {
      key: "cases",
      header: t("optimizations.rounds.cases"),
      align: "right",
      cell: ({ cases }) => <span className="tabular-nums">{cases}</span>,
    },
    {
      key: "status",
      header: t("optimizations.columns.state"),
      cell: (candidate) => (
        <CandidateStatus
          candidate={candidate}
          isFinalist={candidate.number === finalist}
          isBest={finalist === null && best > 0 && candidate.number === best}
        />
      ),
    },
  ];
  return (
    <Section title={t("optimizations.candidates.title")} hint={t("optimizations.candidates.hint")}>
      <Table
        caption={t("optimizations.candidates.title")}
        columns={columns}
        rows={candidates}
        rowKey={({ number }) => String(number)}
      />
    </Section>
  );
}
