import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

function List({ title, items, none }: { title: string; items: readonly string[]; none: string }) {
  return (
    <Card aria-label={title}>
      <CardHeader title={title} />
      <CardContent>
        {items.length === 0 ? (
          <p className="text-sm text-ink-muted">{none}</p>
        ) : (
          <ul className="grid list-disc gap-1.5 pl-5 text-sm">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  );
}

/** Remaining weaknesses and recommendations. */
export function Recommendations({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <List
        title={t("experiments.report.weaknesses")}
        items={report.weaknesses.map(({ message }) => message)}
        none={t("experiments.report.noWeakness")}
      />
      <List
        title={t("experiments.report.nextSteps")}
        items={report.next_steps}
        none={t("experiments.report.noStep")}
      />
    </div>
  );
}
