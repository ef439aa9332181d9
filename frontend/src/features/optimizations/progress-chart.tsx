import { useTranslation } from "react-i18next";
import type { MeanEstimate, Optimization } from "@/api/types";
import { ChartFigure } from "@/components/charts/chart-figure";
import { TrendChart } from "@/components/charts/trend-chart";
import { outOfTen } from "@/components/score-scale";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

type Generation = Optimization["progress"][number];

const HEIGHT = 240;

function meanOf({ mean, low, high }: Generation): MeanEstimate {
  const interval = low === null || high === null ? null : { low, high };
  return { value: mean, interval, cases: 0 };
}

/** Mean training score of the best candidate after each generation. */
export function ProgressChart({ progress }: Pick<Optimization, "progress">) {
  const { t } = useTranslation();
  const title = t("optimizations.curve.title");
  const labels = progress.map(({ generation }) =>
    generation === 0
      ? t("optimizations.baseline")
      : t("optimizations.generation", { number: generation }),
  );
  const wordsOf = ({ mean, low, high }: Generation) =>
    mean === null
      ? "—"
      : low === null || high === null
        ? outOfTen(mean)
        : `${outOfTen(mean)} (${outOfTen(low)} … ${outOfTen(high)})`;
  const nameOf = ({ best }: Generation) =>
    best === 0 ? t("optimizations.base") : t("optimizations.candidate", { number: best });
  const last = progress.at(-1);
  return (
    <Card className="min-w-0" aria-label={title}>
      <CardHeader title={title} description={t("optimizations.curve.hint")} />
      <CardContent>
        {last === undefined ? (
          <p className="text-sm text-ink-muted">{t("optimizations.curve.empty")}</p>
        ) : (
          <ChartFigure
            label={title}
            summary={t("optimizations.curve.summary", {
              name: nameOf(last),
              score: wordsOf(last),
              count: progress.length - 1,
            })}
            height={HEIGHT}
            table={{
              columns: [
                t("optimizations.columns.generation"),
                t("optimizations.curve.best"),
                t("optimizations.curve.mean"),
              ],
              rows: progress.map((each, index) => [
                labels[index] ?? "",
                nameOf(each),
                wordsOf(each),
              ]),
            }}
          >
            {({ width }) => (
              <TrendChart
                width={width}
                height={HEIGHT}
                labels={labels}
                series={[{ key: "best", means: progress.map(meanOf) }]}
                formatValue={outOfTen}
                tip={(index) => {
                  const each = progress[index];
                  return each === undefined ? null : (
                    <>
                      <span className="font-medium">{labels[index]}</span>
                      <span className="tabular-nums">
                        {nameOf(each)}: {wordsOf(each)}
                      </span>
                    </>
                  );
                }}
              />
            )}
          </ChartFigure>
        )}
      </CardContent>
    </Card>
  );
}
