import { useTranslation } from "react-i18next";
import type { QuestionReport } from "@/api/arena";
import type { RunResults } from "@/api/types";
import { IntervalBar } from "@/components/results/interval-bar";
import { Section } from "@/components/results/section";
import { changeOutOfTen, outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Table } from "@/components/ui/table";
import { Tooltip } from "@/components/ui/tooltip";
import { Unknown } from "@/components/unknown";
import { formatNumber } from "@/lib/format";
import { generatorName } from "./generator-name";

/** Judges side by side: how they score, and how far they are from the others. */
export function JudgeTable({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const scored = results.variants[0]?.raters ?? [];
  const judges = results.raters
    .filter(({ kind }) => kind === "judge")
    .map(({ key, label }) => ({
      key,
      label,
      mean: scored.find(({ rater }) => rater === key)?.composite ?? null,
    }));
  const known = judges.flatMap(({ mean }) => (mean?.value == null ? [] : [mean.value]));
  const average = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  if (judges.length === 0) {
    return null;
  }
  return (
    <Section title={t("questions.judges.title")} hint={t("questions.judges.hint")}>
      <Table
        caption={t("questions.judges.title")}
        rows={judges}
        rowKey={({ key }) => key}
        columns={[
          {
            key: "judge",
            header: t("questions.judges.judge"),
            primary: true,
            cell: ({ label }) => <span className="font-medium wrap-anywhere">{label}</span>,
          },
          {
            key: "score",
            header: t("questions.judges.mean"),
            cell: ({ mean }) => (mean === null ? <Unknown /> : <IntervalBar mean={mean} />),
          },
          {
            key: "lean",
            header: t("questions.judges.lean"),
            align: "right",
            cell: ({ mean }) =>
              mean?.value == null || known.length < 2 ? (
                <Unknown />
              ) : (
                changeOutOfTen(mean.value - average)
              ),
          },
          {
            key: "verdicts",
            header: t("questions.judges.verdicts"),
            align: "right",
            cell: ({ mean }) => formatNumber(mean?.cases ?? 0),
          },
        ]}
      />
    </Section>
  );
}

/** Quality of questions by the model that wrote them. */
export function GeneratorTable({ report }: { report: QuestionReport }) {
  const { t } = useTranslation();
  return (
    <Section title={t("questions.generators.title")} hint={t("questions.generators.hint")}>
      <Table
        caption={t("questions.generators.title")}
        rows={report.generators}
        rowKey={({ key }) => key}
        columns={[
          {
            key: "generator",
            header: t("questions.generator"),
            primary: true,
            cell: ({ key, is_judge: isJudge }) => (
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium wrap-anywhere">
                  {generatorName(report.generators, key, t)}
                </span>
                {isJudge ? (
                  <Tooltip content={t("questions.generators.ownHint")}>
                    <span tabIndex={0} className="inline-flex rounded-full">
                      <Badge tone="warning">{t("questions.generators.own")}</Badge>
                    </span>
                  </Tooltip>
                ) : null}
              </span>
            ),
          },
          {
            key: "score",
            header: t("arena.columns.score"),
            cell: ({ score }) => <IntervalBar mean={score} />,
          },
          {
            key: "weak",
            header: t("questions.weak"),
            align: "right",
            cell: ({ weak }) => formatNumber(weak),
          },
          {
            key: "questions",
            header: t("questions.title"),
            align: "right",
            cell: ({ questions }) => formatNumber(questions),
          },
        ]}
      />
      <p className="text-xs text-ink-muted">
        {t("questions.generators.note", { score: outOfTen(report.weak_below) })}
      </p>
    </Section>
  );
}
