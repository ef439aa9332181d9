import { useTranslation } from "react-i18next";
import type { ExperimentReport } from "@/api/types";
import { Section } from "@/components/results/section";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, type Column } from "@/components/ui/table";
import { withoutListMarks } from "@/lib/markdown";

type Decision = ExperimentReport["decisions"][number];
const STATES = ["pending", "approved", "edited", "rejected", "superseded"] as const;
const ORIGINS = ["refiner", "rubric", "person"] as const;
const TONES: Record<(typeof STATES)[number], BadgeTone> = {
  pending: "accent",
  approved: "success",
  edited: "success",
  rejected: "danger",
  superseded: "neutral",
};

function Outcome({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const state = STATES.find((each) => each === decision.state) ?? "pending";
  return (
    <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
      <Badge tone={TONES[state]}>{t(`experiments.report.outcomes.${state}`)}</Badge>
      {decision.decided_at === null ? null : (
        <span className="text-xs wrap-anywhere text-ink-muted">
          {state === "superseded" ? null : (
            <>
              {t("experiments.timeline.by", {
                who: decision.decided_by ?? t("experiments.activity.edison"),
              })}
              {" · "}
            </>
          )}
          <RelativeTime iso={decision.decided_at} />
        </span>
      )}
    </span>
  );
}

/** Suggestions and decisions. */
export function DecisionTable({ report }: { report: ExperimentReport }) {
  const { t } = useTranslation();
  if (report.decisions.length === 0) {
    return null;
  }
  const columns: Column<Decision>[] = [
    {
      key: "note",
      primary: true,
      header: t("experiments.report.suggestion"),
      className: "lg:w-1/2",
      cell: ({ iteration, number, note, origin, parts }) => (
        <span className="grid gap-0.5">
          <span className="line-clamp-3 wrap-anywhere" title={note}>
            {withoutListMarks(note)}
          </span>
          <span className="text-xs text-ink-muted">
            {t("experiments.report.suggestionOf", { iteration, number })} ·{" "}
            {t(
              `experiments.report.origins.${ORIGINS.find((each) => each === origin) ?? "refiner"}`,
            )}
            {parts.map((part) => ` · ${t(`reviews.parts.${part}`)}`)}
          </span>
        </span>
      ),
    },
    {
      key: "state",
      header: t("experiments.timeline.decision"),
      cell: (decision) => <Outcome decision={decision} />,
    },
    {
      key: "reason",
      header: t("experiments.report.reason"),
      cell: ({ reason }) => <span className="text-sm wrap-anywhere">{reason ?? "–"}</span>,
    },
  ];
  return (
    <Section title={t("experiments.report.decisions")}>
      <Table
        caption={t("experiments.report.decisions")}
        columns={columns}
        rows={report.decisions}
        rowKey={({ iteration, number }) => `${iteration}.${number}`}
      />
    </Section>
  );
}
