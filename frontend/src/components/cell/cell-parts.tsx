import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { caseQuery } from "@/api/run-rows";
import type { OutputDetail, RunDetail } from "@/api/types";
import { HumanScores } from "@/components/human-score/human-scores";
import { Tabs } from "@/components/ui/tabs";
import { Answer } from "./answer";
import { CaseTexts } from "./case-texts";
import { CellFacts, ProvenanceFacts } from "./cell-facts";
import { CellScores } from "./cell-scores";
import { TextBlock } from "./text-block";

function SentPrompt({ output }: { output: OutputDetail }) {
  const { t } = useTranslation();
  const { system, messages, tools } = output.sent;
  return (
    <div className="grid gap-3">
      {system === null ? null : <TextBlock label={t("runs.dialog.system")} text={system} />}
      {messages.map(({ role, text }, index) => (
        <TextBlock key={index} label={t(`runs.dialog.roles.${role}`)} text={text} />
      ))}
      {tools.length === 0 ? null : (
        <TextBlock label={t("runs.dialog.tools")} text={JSON.stringify(tools, null, 2)} />
      )}
    </div>
  );
}

type Part = "answer" | "case" | "sent" | "origin";

export interface CellPartsProps {
  slug: string;
  canScore: boolean;
  run: RunDetail;
  output: OutputDetail;
}

export function CellParts({ slug, canScore, run, output }: CellPartsProps) {
  const { t } = useTranslation();
  const [part, setPart] = useState<Part>("answer");
  const row = useQuery(caseQuery({ slug, runId: run.id }, output.case_position)).data;
  const contents: Record<Part, ReactNode> = {
    answer: (
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Answer output={output} expected={row?.expected ?? null} />
        <div className="grid gap-6">
          <CellFacts output={output} />
          <CellScores run={run} scores={output.details} />
          <HumanScores slug={slug} output={output} canScore={canScore} />
        </div>
      </div>
    ),
    case: <CaseTexts row={row} />,
    sent: <SentPrompt output={output} />,
    origin: <ProvenanceFacts output={output} />,
  };
  return (
    <Tabs
      label={t("runs.dialog.parts")}
      value={part}
      tabs={(["answer", "case", "sent", "origin"] as const).map((value) => ({
        value,
        label: t(`runs.dialog.part.${value}`),
        content: contents[value],
      }))}
      onValueChanged={setPart}
    />
  );
}
