import { useQueries } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { outputQuery } from "@/api/outputs";
import { problemMessage } from "@/api/problem-message";
import type { Cell } from "@/api/types";
import { ScoreBadge } from "@/components/score-badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { formatCost, formatSeconds } from "@/lib/format";
import { TextBox } from "./text-block";

/** Text of an answer; null while it loads. */
type Read = { text: string | null } | { error: Error };

interface RepeatProps {
  cell: Cell;
  read: Read;
  /** Number of an earlier, identical answer. */
  twin: number | null;
  onChosen: () => void;
}

function Repeat({ cell, read, twin, onChosen }: RepeatProps) {
  const { t } = useTranslation();
  const { cost_usd, latency_seconds } = cell;
  const facts = [
    cost_usd === null ? null : formatCost(cost_usd),
    latency_seconds === null ? null : formatSeconds(latency_seconds),
  ].filter(Boolean);
  return (
    <li className="grid gap-1.5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-sm font-medium">{t("cell.repeat.one", { number: cell.repeat + 1 })}</h3>
        {cell.grade === null ? null : (
          <ScoreBadge label={t("runs.score")} value={cell.grade.value} passed={null} />
        )}
        <span className="text-xs text-ink-muted tabular-nums">{facts.join(" · ")}</span>
        <Button variant="ghost" size="sm" className="ml-auto" onClick={onChosen}>
          {t("cell.repeat.details")}
        </Button>
      </div>
      {"error" in read ? (
        <p className="text-sm text-danger">{problemMessage(read.error)}</p>
      ) : twin !== null ? (
        <p className="text-sm text-ink-muted">{t("cell.repeat.same", { number: twin })}</p>
      ) : read.text === null ? (
        <Skeleton className="h-24 rounded-lg" />
      ) : (
        <TextBox>{read.text}</TextBox>
      )}
    </li>
  );
}

export interface RepeatAnswersProps {
  slug: string;
  answers: readonly Cell[];
  onOutputChosen: (outputId: string) => void;
}

/** All answers of a variant to one case, to compare how much they vary. */
export function RepeatAnswers({ slug, answers, onOutputChosen }: RepeatAnswersProps) {
  const { t } = useTranslation();
  const reads = useQueries({ queries: answers.map(({ id }) => outputQuery(slug, id)) }).map(
    ({ data, error }): Read => {
      if (error !== null) {
        return { error };
      }
      return { text: data === undefined ? null : (data.text ?? data.message ?? "") };
    },
  );
  const texts = reads.map((read) => ("text" in read ? read.text : null));
  return (
    <ul aria-label={t("cell.repeat.list")} className="grid gap-5">
      {answers.map((cell, at) => {
        const first = texts[at] === null ? at : texts.indexOf(texts[at] ?? null);
        return (
          <Repeat
            key={cell.id}
            cell={cell}
            read={reads[at] ?? { text: null }}
            twin={first < at ? (answers[first]?.repeat ?? 0) + 1 : null}
            onChosen={() => onOutputChosen(cell.id)}
          />
        );
      })}
    </ul>
  );
}
