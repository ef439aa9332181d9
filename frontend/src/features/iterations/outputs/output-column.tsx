import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OutputDetail, SideCell } from "@/api/types";
import { WordDiff } from "@/components/cell/word-diff";
import { HumanScores } from "@/components/human-score/human-scores";
import { ScoreBadge } from "@/components/score-badge";
import { outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Disclosure } from "@/components/ui/disclosure";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { failureLabel } from "@/lib/failures";
import { formatTokens, formatCost, formatSeconds } from "@/lib/format";
import { FlagButton } from "./flag-button";

/** Longer answers are collapsed. In characters. */
const LONG = 700;

function Facts({ output }: { output: OutputDetail }) {
  const { t } = useTranslation();
  const facts = [
    output.cost_usd === null ? null : formatCost(output.cost_usd),
    output.latency_seconds === null ? null : formatSeconds(output.latency_seconds),
    output.output_tokens === null
      ? null
      : t("iterations.outputs.tokens", {
          count: output.output_tokens,
          tokens: formatTokens(output.output_tokens),
        }),
    output.is_cached ? t("iterations.outputs.cached") : null,
  ];
  return <p className="text-xs text-ink-muted tabular-nums">{facts.filter(Boolean).join(" · ")}</p>;
}

function AnswerText({ text, reference }: { text: string; reference: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (reference !== null) {
    return <WordDiff before={reference} after={text} />;
  }
  const isLong = text.length > LONG;
  return (
    <div className="grid justify-items-start gap-1">
      <p
        className={cn(
          "text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap",
          isLong && !isOpen && "line-clamp-12",
        )}
      >
        {text}
      </p>
      {isLong ? (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-3"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? "iterations.outputs.less" : "iterations.outputs.more")}
        </Button>
      ) : null}
    </div>
  );
}

export interface OutputColumnProps {
  slug: string;
  name: string;
  cell: SideCell;
  /** Undefined until loaded. */
  output: OutputDetail | undefined;
  /** Text to diff against; null shows the plain answer. */
  reference: string | null;
  /** Whether the user may score and flag. */
  canScore: boolean;
}

export function textOf(output: OutputDetail): string {
  return output.parsed ?? output.text ?? "";
}

function Body({
  slug,
  output,
  reference,
  canScore,
}: Omit<OutputColumnProps, "cell" | "name"> & { output: OutputDetail }) {
  const { t } = useTranslation();
  return (
    <>
      {output.status === "ok" ? null : (
        <p className="text-sm text-danger">
          <span className="font-medium">
            {output.status === "malformed" || output.error === null
              ? t("runs.cell.malformed")
              : failureLabel(output.error)}
          </span>
          {output.message === null ? null : <span className="block text-xs">{output.message}</span>}
        </p>
      )}
      {textOf(output) === "" ? null : <AnswerText text={textOf(output)} reference={reference} />}
      <Facts output={output} />
      <Disclosure label={t("humanScore.title")} className="mt-auto">
        <HumanScores slug={slug} output={output} canScore={canScore} />
      </Disclosure>
    </>
  );
}

/** One answer to the case, with its score and actions. */
export function OutputColumn(props: OutputColumnProps) {
  const { slug, name, cell, output, canScore } = props;
  const { t } = useTranslation();
  let body: ReactNode = <Skeleton className="h-40" />;
  if (cell.position === null) {
    body = <p className="text-sm text-ink-muted">{t("iterations.outputs.noCase")}</p>;
  } else if (cell.output_id === null) {
    body = <p className="text-sm text-ink-muted">{t("iterations.outputs.noAnswer")}</p>;
  } else if (output !== undefined) {
    body = <Body {...props} output={output} />;
  }
  return (
    <Card aria-label={name} className="flex min-w-0 flex-col gap-3 p-4">
      <div className="flex items-start justify-between gap-2">
        <div className="grid min-w-0 gap-1">
          <h2 className="text-sm font-semibold wrap-anywhere">{name}</h2>
          <span className="flex flex-wrap items-center gap-1.5">
            <ScoreBadge label={t("runs.score")} value={cell.score} passed={null} />
            {cell.disagreement !== null && cell.disagreement > 0 ? (
              <Badge tone="outline">
                {t("iterations.outputs.disagree", { value: outOfTen(cell.disagreement) })}
              </Badge>
            ) : null}
          </span>
        </div>
        {output === undefined ? null : (
          <span className="flex shrink-0">
            <FlagButton slug={slug} outputId={output.id} canFlag={canScore} />
            <CopyButton text={textOf(output)} label={t("iterations.outputs.copy", { name })} />
          </span>
        )}
      </div>
      {body}
    </Card>
  );
}
