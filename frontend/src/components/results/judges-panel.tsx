import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { JudgeBias, JudgeCalibration, RaterAgreement, RunResults } from "@/api/types";
import { formatScore } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";
import { formatDecimal, formatPercent } from "@/lib/format";
import { agreementLevel } from "./figures";
import { Section } from "./section";

const TONES = { high: "success", fair: "warning", low: "danger", none: "neutral" } as const;

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-3 p-5">
      <h3 className="text-sm font-semibold">
        <Explained text={title} />
      </h3>
      {children}
    </Card>
  );
}

function Sentence({ children, mark }: { children: ReactNode; mark?: ReactNode }) {
  return (
    <li className="flex items-start justify-between gap-3 text-sm text-pretty">
      <span>{children}</span>
      {mark}
    </li>
  );
}

function Agreements({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const nameOf = ({ criterion }: RaterAgreement) =>
    criterion === null
      ? t("results.judges.people")
      : (results.criteria.find((each) => each.key === criterion)?.name ?? criterion);
  return (
    <Panel title={t("results.judges.agreement")}>
      {results.agreements.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("results.judges.noAgreement")}</p>
      ) : (
        <ul className="grid gap-3">
          {results.agreements.map((agreement, at) => {
            const level = agreementLevel(agreement.alpha);
            return (
              <Sentence
                key={at}
                mark={
                  agreement.alpha === null ? null : (
                    <Badge tone={TONES[level]}>
                      <Explained
                        text={t("results.judges.alpha", {
                          value: formatDecimal(agreement.alpha, 2),
                        })}
                      />
                    </Badge>
                  )
                }
              >
                <Explained text={t(`results.judges.agree.${level}`, { name: nameOf(agreement) })} />
              </Sentence>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

function useBiasSentence(results: RunResults): (bias: JudgeBias) => string {
  const { t } = useTranslation();
  return ({ kind, judge, effect, is_evident }) => {
    const name = results.raters.find((rater) => rater.key === judge)?.label ?? judge;
    const value = effect.value ?? 0;
    if (!is_evident) {
      return t(`results.judges.${kind}.none`, { name });
    }
    if (kind === "position") {
      return t("results.judges.position.evident", {
        name,
        side: value > 0 ? t("results.judges.first") : t("results.judges.second"),
        value: formatPercent(Math.abs(value)),
      });
    }
    return t(`results.judges.${kind}.evident`, {
      name,
      value: formatScore(Math.abs(value)),
      direction: value > 0 ? t("results.judges.more") : t("results.judges.less"),
    });
  };
}

function Biases({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  const sentence = useBiasSentence(results);
  return (
    <Panel title={t("results.judges.bias")}>
      {results.biases.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("results.judges.noBias")}</p>
      ) : (
        <ul className="grid gap-3">
          {results.biases.map((bias) => (
            <Sentence
              key={`${bias.judge} ${bias.kind}`}
              mark={
                <span className="shrink-0 text-xs text-ink-muted">
                  {t("results.cases", { count: bias.effect.cases })}
                </span>
              }
            >
              <Explained text={sentence(bias)} />
              {bias.is_evident && !bias.is_controlled ? (
                <span className="block text-xs text-ink-muted">
                  {t("results.judges.uncontrolled")}
                </span>
              ) : null}
            </Sentence>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function biasDirection({ difference: { value, interval } }: JudgeCalibration) {
  if (value === null || interval === null || (interval.low <= 0 && interval.high >= 0)) {
    return "even";
  }
  return value > 0 ? "high" : "low";
}

function Calibrations({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  return (
    <Panel title={t("results.judges.calibration")}>
      {results.calibrations.length === 0 ? (
        <p className="text-sm text-ink-muted">
          <Explained text={t("results.judges.noCalibration")} />
        </p>
      ) : (
        <ul className="grid gap-3">
          {results.calibrations.map((each) => (
            <Sentence key={each.judge}>
              {t("results.judges.calibrated", {
                name: results.raters.find((rater) => rater.key === each.judge)?.label ?? each.judge,
                value: formatScore(each.mean_absolute_error),
                outputs: t("results.judges.outputs", { count: each.outputs }),
                tendency: t(`results.judges.tendency.${biasDirection(each)}`),
              })}
            </Sentence>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Reliability of the judges, one sentence each. Renders nothing without judges. */
export function JudgesPanel({ results }: { results: RunResults }) {
  const { t } = useTranslation();
  if (results.biases.length === 0 && !results.raters.some((rater) => rater.kind === "judge")) {
    return null;
  }
  return (
    <Section title={t("results.judges.title")} hint={t("results.judges.hint")}>
      <div className="grid gap-4 lg:grid-cols-3">
        <Agreements results={results} />
        <Biases results={results} />
        <Calibrations results={results} />
      </div>
    </Section>
  );
}
