import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SavedScorer } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { rubricChoicesQuery } from "@/api/rubrics";
import { LoadError } from "@/components/load-error";

const OWN = "own";

export interface RubricChoiceProps {
  slug: string;
  /** Rubric version of the criteria; null when the scorer has its own. */
  versionId: string | null;
  /** Rubric version saved with the scorer, possibly an older one. */
  saved: SavedScorer["rubric"];
  error: string | undefined;
  disabled: boolean;
  onVersionChanged: (versionId: string | null) => void;
}

/** Source of the judge's criteria. */
export function RubricChoice(props: RubricChoiceProps) {
  const { slug, versionId, saved, error, disabled, onVersionChanged } = props;
  const { t } = useTranslation();
  const choices = useQuery(rubricChoicesQuery(slug));
  const rubrics = choices.data ?? [];
  const chosen = rubrics.find(({ latest }) => latest.id === versionId);
  const isOlder = saved !== null && versionId === saved.version.id && chosen === undefined;
  const newer = isOlder && saved.latest.id !== saved.version.id ? saved.latest : null;
  const rubricId = chosen?.id ?? (isOlder ? saved.rubric_id : null);
  const options = [
    { value: OWN, label: t("scorers.form.ownCriteria") },
    ...(isOlder
      ? [{ value: saved.version.id, label: `${saved.name} ${saved.version.label}` }]
      : []),
    ...rubrics.map(({ name, latest, criterion_names }) => ({
      value: latest.id,
      label: `${name} ${latest.label}`,
      description: criterion_names.join(", "),
    })),
  ];
  return (
    <div className="grid gap-3">
      <LoadError queries={[choices]} />
      <Field
        required
        label={t("scorers.form.rubric")}
        hint={t("scorers.form.rubricHint")}
        error={error}
      >
        {(control) => (
          <Select
            {...control}
            disabled={disabled}
            value={versionId ?? OWN}
            options={options}
            onValueChanged={(value) => onVersionChanged(value === OWN ? null : value)}
          />
        )}
      </Field>
      {newer === null || disabled ? null : (
        <Alert
          tone="info"
          live={false}
          action={
            <Button variant="secondary" size="sm" onClick={() => onVersionChanged(newer.id)}>
              {t("scorers.form.useNewer", { label: newer.label })}
            </Button>
          }
        >
          {t("scorers.form.newer", { label: newer.label })}
        </Alert>
      )}
      {rubricId === null ? null : (
        <Link
          to="/p/$slug/scorers/rubrics/$rubricId"
          params={{ slug, rubricId }}
          className="justify-self-start rounded-sm text-xs text-accent-ink hover:underline"
        >
          {t("scorers.form.openRubric")}
        </Link>
      )}
    </div>
  );
}
