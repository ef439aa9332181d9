import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CandidateDetail, Optimization } from "@/api/types";
import type { EditorLanguage } from "@/components/editor/extensions";
import { MergeView } from "@/components/editor/merge-view";
import { ProblemState } from "@/components/problem-state";
import { changeOutOfTen, formatScore } from "@/components/score-scale";
import { Drawer } from "@/components/ui/drawer";
import { Segmented } from "@/components/ui/segmented";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { CandidateStatus, useCandidateWords } from "./candidate-table";
import { CaseScores } from "./case-scores";
import { candidateQuery } from "./queries";

export interface CandidateDrawerProps {
  slug: string;
  optimization: Optimization;
  number: number;
  onClosed: () => void;
}

type Parts = CandidateDetail["base"];
type PartName = keyof Parts;

const PLAIN: EditorLanguage = { kind: "template", syntax: "double" };

function textOf(parts: Parts, part: PartName): string {
  if (part !== "few_shots") {
    return parts[part] ?? "";
  }
  return parts.few_shots.map(({ user, assistant }) => `${user}\n→ ${assistant}`).join("\n\n");
}

function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

interface PromptTextProps {
  candidate: CandidateDetail;
  before: Parts;
  beforeLabel: string;
}

/** The prompt against another one; the whole text if nothing differs. */
function PromptText({ candidate, before, beforeLabel }: PromptTextProps) {
  const { t } = useTranslation();
  const { nameOf } = useCandidateWords();
  const parts = (["text", "system", "few_shots"] as const).filter(
    (part) => textOf(candidate, part) !== textOf(before, part),
  );
  const [chosen, setChosen] = useState<PartName>("text");
  const part = parts.includes(chosen) ? chosen : parts[0];
  if (part === undefined) {
    return (
      <pre className="max-h-96 overflow-auto rounded-lg bg-surface p-4 font-mono text-xs whitespace-pre-wrap">
        {candidate.text === "" ? t("optimizations.baseGone") : candidate.text}
      </pre>
    );
  }
  return (
    <>
      {parts.length === 1 ? null : (
        <Segmented
          label={t("prompts.compare.part")}
          value={part}
          options={parts.map((name) => ({
            value: name,
            label: t(`optimizations.parts.${name}`),
          }))}
          onValueChanged={setChosen}
        />
      )}
      <MergeView
        key={`${beforeLabel} ${part}`}
        before={textOf(before, part)}
        after={textOf(candidate, part)}
        beforeLabel={beforeLabel}
        afterLabel={nameOf(candidate.number)}
        mode="unified"
        collapsed
        language={PLAIN}
        className="max-h-[50dvh] min-h-32"
      />
    </>
  );
}

interface ShownProps {
  slug: string;
  optimization: Optimization;
  candidate: CandidateDetail;
}

/** What the candidate changes, against the base or against a candidate that it came from. */
function Changes({ slug, optimization, candidate }: ShownProps) {
  const { t } = useTranslation();
  const { nameOf } = useCandidateWords();
  const [other, setOther] = useState(0);
  const others = [0, ...candidate.parents.filter((number) => number !== 0)];
  const parent = useQuery({
    ...candidateQuery(slug, optimization.id, other),
    enabled: other !== 0,
  });
  const before = other === 0 ? candidate.base : parent.data;
  return (
    <>
      {others.length === 1 ? null : (
        <Segmented
          label={t("optimizations.comparedWith")}
          value={String(other)}
          options={others.map((number) => ({ value: String(number), label: nameOf(number) }))}
          onValueChanged={(number) => setOther(Number(number))}
        />
      )}
      {before !== undefined ? (
        <PromptText candidate={candidate} before={before} beforeLabel={nameOf(other)} />
      ) : parent.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-32 rounded-lg" />
        </LoadingStatus>
      ) : (
        <ProblemState error={parent.error} onRetry={() => void parent.refetch()} />
      )}
    </>
  );
}

function Shown(props: ShownProps) {
  const { optimization, candidate } = props;
  const isFinalist = optimization.finalist === candidate.number;
  const { t } = useTranslation();
  const { originOf } = useCandidateWords();
  const isBase = candidate.number === 0;
  return (
    <div className="grid gap-6">
      <div className="grid justify-items-start gap-2 text-sm">
        <CandidateStatus candidate={candidate} isFinalist={isFinalist} isBest={false} />
        <p className="tabular-nums">
          {candidate.mean === null
            ? t("optimizations.cases.none")
            : t("optimizations.scored", {
                score: formatScore(candidate.mean),
                count: candidate.cases,
              })}{" "}
          {candidate.gain === null
            ? null
            : t("optimizations.gained", { gain: changeOutOfTen(candidate.gain) })}
        </p>
        <p className="text-ink-muted">{originOf(candidate)}</p>
        {isBase || candidate.note === "" ? null : (
          <p className="text-pretty wrap-anywhere whitespace-pre-line">{candidate.note}</p>
        )}
      </div>
      <Block title={t(isBase ? "optimizations.prompt" : "optimizations.changes")}>
        <Changes {...props} />
      </Block>
      <Block title={t("optimizations.cases.title")}>
        <CaseScores scores={candidate.case_scores} isBase={isBase} />
      </Block>
    </div>
  );
}

/** One candidate: how it differs from the base, and its score on each training case. */
export function CandidateDrawer({ slug, optimization, number, onClosed }: CandidateDrawerProps) {
  const { nameOf } = useCandidateWords();
  const candidate = useQuery(candidateQuery(slug, optimization.id, number));
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={nameOf(number)}
      description={optimization.name}
      className="max-w-2xl"
    >
      {candidate.data !== undefined ? (
        <Shown slug={slug} optimization={optimization} candidate={candidate.data} />
      ) : candidate.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-72 rounded-lg" />
        </LoadingStatus>
      ) : (
        <ProblemState error={candidate.error} onRetry={() => void candidate.refetch()} />
      )}
    </Drawer>
  );
}
