import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Settings2 } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { datasetChoicesQuery } from "@/api/case-choices";
import { modelsQuery } from "@/api/models";
import { promptChoicesQuery } from "@/api/prompts";
import type { Experiment } from "@/api/types";
import { Markdown } from "@/components/markdown";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Tooltip } from "@/components/ui/tooltip";
import { formatNumber, formatPercent, formatUsd } from "@/lib/format";

type DeepRequired<T> = T extends readonly (infer Item)[]
  ? DeepRequired<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: DeepRequired<Exclude<T[Key], undefined>> }
    : T;
type Configuration = DeepRequired<Experiment["draft"]>;

/** Fields are optional in the schema for requests; responses always contain them. */
function configurationOf({ config, draft }: Experiment): Configuration {
  return (config ?? draft) as Configuration;
}

interface CardProps {
  slug: string;
  experiment: Experiment;
  editable: boolean;
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-3 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-4">
      <dt className="text-sm text-ink-muted">{term}</dt>
      <dd className="min-w-0 text-sm wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Stays visible but disabled during an iteration, with the reason. */
function EditButton({ slug, experiment }: CardProps) {
  const { t } = useTranslation();
  const words = (
    <>
      <Settings2 aria-hidden />
      {t("experiments.configuration.edit")}
    </>
  );
  if (!experiment.is_editable) {
    return (
      <Tooltip content={t("experiments.configuration.locked")}>
        <Button
          variant="secondary"
          size="sm"
          disabled
          aria-description={t("experiments.configuration.locked")}
        >
          {words}
        </Button>
      </Tooltip>
    );
  }
  return (
    <Button asChild variant="secondary" size="sm">
      <Link
        to="/p/$slug/experiments/$experimentId/setup"
        params={{ slug, experimentId: experiment.id }}
      >
        {words}
      </Link>
    </Button>
  );
}

const LINK = "rounded-sm hover:text-accent-ink hover:underline";

function Limits({ limits }: { limits: Configuration["limits"] }) {
  const { t } = useTranslation();
  const said = [
    t("experiments.configuration.most", { count: limits.max_iterations }),
    t("experiments.configuration.budget", { amount: formatUsd(limits.budget_usd) }),
    limits.max_tokens === null
      ? null
      : t("experiments.configuration.tokens", { tokens: formatNumber(limits.max_tokens) }),
    t("experiments.configuration.converged", {
      share: formatPercent(limits.min_improvement),
      count: limits.convergence_window,
    }),
    limits.prunes_weak_variants ? t("experiments.configuration.prunes") : null,
    limits.is_adaptive ? t("experiments.configuration.adaptive") : null,
  ];
  return (
    <ul className="grid gap-0.5">
      {said.map((words) => (words === null ? null : <li key={words}>{words}</li>))}
    </ul>
  );
}

function useModelNames(slug: string): (ids: readonly string[]) => string {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug)).data;
  return (ids) => {
    const names = ids.map(
      (id) =>
        models?.find((model) => model.id === id)?.display_name ??
        (models === undefined ? "…" : t("experiments.configuration.goneModel")),
    );
    return names.length === 0 ? t("experiments.configuration.none") : names.join(", ");
  };
}

/** Current name in the library; undefined when unknown. */
function nameOf(
  choices: readonly { id: string; name: string }[] | undefined,
  id: string | null,
): string | undefined {
  return choices?.find((choice) => choice.id === id)?.name;
}

/** Configuration used by iterations. */
export function ConfigurationCard(props: CardProps) {
  const { slug, experiment, editable } = props;
  const { t } = useTranslation();
  const id = useId();
  const namesOf = useModelNames(slug);
  const promptName = nameOf(useQuery(promptChoicesQuery(slug)).data, experiment.prompt_id);
  const datasetName = nameOf(useQuery(datasetChoicesQuery(slug)).data, experiment.dataset_id);
  const { objective, rubric, prompt, data, models, judges, limits } = configurationOf(experiment);
  const grid = Object.values(models.grid).reduce(
    (count, values) => count * Math.max(1, values.length),
    1,
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t("experiments.configuration.title")}
        actions={editable ? <EditButton {...props} /> : null}
      />
      <CardContent className="grid gap-4">
        {editable && !experiment.is_editable ? (
          <p className="text-sm text-ink-muted">{t("experiments.configuration.locked")}</p>
        ) : null}
        {experiment.is_changed ? (
          <Alert tone="info" live={false}>
            {t("experiments.configuration.changed")}
          </Alert>
        ) : null}
        <dl className="divide-y divide-border">
          <Row term={t("experiments.configuration.objective")}>
            <Markdown text={objective.goal} />
          </Row>
          <Row term={t("experiments.configuration.rubric")}>
            <ul className="grid gap-0.5">
              {rubric.criteria.map(({ name, weight, description }) => (
                <li key={name} title={description}>
                  {name} <span className="text-ink-muted">{formatPercent(weight)}</span>
                </li>
              ))}
            </ul>
          </Row>
          <Row term={t("experiments.configuration.prompt")}>
            {experiment.prompt_id === null ? (
              prompt.name
            ) : (
              <Link
                to="/p/$slug/prompts/$promptId"
                params={{ slug, promptId: experiment.prompt_id }}
                className={LINK}
              >
                {promptName ?? t("experiments.configuration.openPrompt")}
              </Link>
            )}
          </Row>
          <Row term={t("experiments.configuration.data")}>
            {experiment.dataset_id === null ? (
              t("experiments.configuration.cases", { count: data.cases.length })
            ) : (
              <Link
                to="/p/$slug/datasets/$datasetId"
                params={{ slug, datasetId: experiment.dataset_id }}
                className={LINK}
              >
                {datasetName ?? t("experiments.configuration.openData")}
              </Link>
            )}
            <span className="block text-ink-muted">
              {t(
                data.uses_holdout
                  ? "experiments.configuration.holdout"
                  : "experiments.configuration.noHoldout",
              )}
            </span>
          </Row>
          <Row term={t("experiments.configuration.models")}>
            {namesOf(models.models.map(({ model_id }) => model_id))}
            {grid === 1 ? null : (
              <span className="block text-ink-muted">
                {t("experiments.configuration.grid", { count: grid })}
              </span>
            )}
          </Row>
          <Row term={t("experiments.configuration.judges")}>{namesOf(judges.judges)}</Row>
          <Row term={t("experiments.configuration.limits")}>
            <Limits limits={limits} />
          </Row>
        </dl>
      </CardContent>
    </Card>
  );
}
