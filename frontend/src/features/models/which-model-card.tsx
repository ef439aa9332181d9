import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { ModelInsight } from "@/api/types";
import { LoadError } from "@/components/load-error";
import { AdviceCard } from "@/components/results/advice-card";
import type { AdvisedModel } from "@/components/results/model-advice";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { insightQuery } from "./queries";
import { RecommendForm } from "./recommend-form";

const advised = ({ models }: ModelInsight): AdvisedModel[] =>
  models.map((model) => ({ ...model, label: model.name }));

function Basis({ insight }: { insight: ModelInsight }) {
  const { t } = useTranslation();
  const { runs, cases, models, older_runs: older } = insight;
  const leftOut = models.filter((model) => !model.is_compared);
  return (
    <>
      {t("models.which.basis", { count: cases, runs })}
      {older === 0 ? null : <> {t("models.which.older", { count: older })}</>}
      {leftOut.length === 0 ? null : (
        <> {t("models.which.leftOut", { names: leftOut.map(({ name }) => name).join(", ") })}</>
      )}
    </>
  );
}

/** Which model to use, from finished runs. Renders nothing until two models have results. */
export function WhichModelCard({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const id = useId();
  const found = useQuery(insightQuery(slug));
  if (found.data === undefined) {
    return <LoadError queries={[found]} />;
  }
  const insight = found.data;
  if (insight.models.length < 2) {
    return null;
  }
  const models = advised(insight);
  const isSimulated = insight.models.some((model) => model.is_simulated);
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t("models.which.title")}
        description={<Basis insight={insight} />}
        actions={isSimulated ? <SimulatedBadge /> : null}
      />
      <CardContent className="grid gap-5">
        <div className="grid gap-4 lg:grid-cols-3">
          <AdviceCard
            question="mostAccurate"
            advice={insight.most_accurate}
            models={models}
            unit="cases"
          />
          <AdviceCard question="fastest" advice={insight.fastest} models={models} unit="cases" />
          <AdviceCard
            question="bestValue"
            advice={insight.best_value}
            models={models}
            unit="cases"
          />
        </div>
        <RecommendForm slug={slug} models={models} />
      </CardContent>
    </Card>
  );
}
