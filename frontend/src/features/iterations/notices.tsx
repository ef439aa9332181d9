import { useTranslation } from "react-i18next";
import type { Experiment, Iteration, IterationMetrics } from "@/api/types";
import { changeOutOfTen } from "@/components/score-scale";
import { Alert } from "@/components/ui/alert";
import { Explained } from "@/components/ui/explained";

type Sampling = NonNullable<IterationMetrics["sampling"]>;

/** Why fewer cases than planned were used, and how certain the result is. */
function Sampled({ sampling }: { sampling: Sampling }) {
  const { t } = useTranslation();
  const { cases, planned_cases, difference, interval } = sampling;
  return (
    <Alert tone="info" live={false} title={sampling.message}>
      {t("iterations.sampling.why", { cases, planned: planned_cases })}{" "}
      {difference === null || interval === null ? null : (
        <Explained
          text={t("iterations.sampling.seen", {
            change: changeOutOfTen(difference),
            low: changeOutOfTen(interval.low),
            high: changeOutOfTen(interval.high),
          })}
        />
      )}
    </Alert>
  );
}

interface NoticesProps {
  iteration: Iteration;
  metrics: IterationMetrics;
  pruned: Experiment["pruned"];
}

/** Caveats about the results. */
export function Notices({ iteration, metrics, pruned }: NoticesProps) {
  const { t } = useTranslation();
  const left = pruned.filter((each) => each.iteration === iteration.number);
  return (
    <div className="grid gap-3 empty:hidden">
      {metrics.is_unjudged && metrics.failed < metrics.answers ? (
        <Alert tone="warning" live={false}>
          {t("iterations.notices.unjudged")}
        </Alert>
      ) : null}
      {metrics.unscored > 0 && !metrics.is_unjudged ? (
        <Alert tone="warning" live={false}>
          {t("iterations.notices.unscored", { count: metrics.unscored })}
        </Alert>
      ) : null}
      {metrics.failed + metrics.malformed > 0 ? (
        <Alert tone="warning" live={false}>
          {t("iterations.notices.failed", {
            count: metrics.answers,
            failed: metrics.failed,
            malformed: metrics.malformed,
          })}
        </Alert>
      ) : null}
      {metrics.sampling == null ? null : <Sampled sampling={metrics.sampling} />}
      {left.map((each) => (
        <Alert
          key={each.variant}
          tone="info"
          live={false}
          title={t("iterations.notices.pruned", { name: each.label })}
        >
          {each.message}
        </Alert>
      ))}
    </div>
  );
}
