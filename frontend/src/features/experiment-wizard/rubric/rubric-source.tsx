import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { rubricChoicesQuery, rubricQuery } from "@/api/rubrics";
import { LoadError } from "@/components/load-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { toast } from "@/components/ui/toast";
import type { StepProps } from "../wizard-step";

const OWN = "own";

/** Choice between own criteria and a saved rubric. */
export function RubricSource({ slug, part, errors, editable, onChanged }: StepProps<"rubric">) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const choices = useQuery(rubricChoicesQuery(slug));
  const rubrics = choices.data ?? [];
  const versionId = part.rubric_version_id;
  const chosen = rubrics.find(({ latest }) => latest.id === versionId);
  const isOlder = versionId !== null && chosen === undefined;
  if (choices.isLoadingError || (rubrics.length === 0 && versionId === null)) {
    return <LoadError queries={[choices]} />;
  }
  const choose = async (wanted: string) => {
    const rubric = rubrics.find(({ latest }) => latest.id === wanted);
    if (rubric === undefined) {
      onChanged({ rubric_version_id: null });
      return;
    }
    try {
      const { criteria } = await queryClient.query(rubricQuery(slug, rubric.id));
      onChanged({ rubric_version_id: wanted, criteria });
    } catch (error) {
      toast.error(problemMessage(error));
    }
  };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field
        required
        label={t("wizard.rubric.source")}
        error={errors.rubric_version_id}
        className="min-w-64 flex-1"
      >
        {(control) => (
          <Select
            {...control}
            disabled={!editable}
            value={versionId ?? OWN}
            options={[
              {
                value: OWN,
                label: t("wizard.rubric.own"),
                description: t("wizard.rubric.ownHint"),
              },
              ...(isOlder ? [{ value: versionId, label: t("wizard.rubric.older") }] : []),
              ...rubrics.map(({ name, latest, criterion_names }) => ({
                value: latest.id,
                label: `${name} ${latest.label}`,
                description: criterion_names.join(", "),
              })),
            ]}
            onValueChanged={(wanted) => void choose(wanted)}
          />
        )}
      </Field>
      {versionId !== null && editable ? (
        <Button variant="secondary" onClick={() => onChanged({ rubric_version_id: null })}>
          {t("wizard.rubric.editCopy")}
        </Button>
      ) : null}
      {chosen === undefined ? null : (
        <Button asChild variant="ghost">
          <Link to="/p/$slug/scorers/rubrics/$rubricId" params={{ slug, rubricId: chosen.id }}>
            {t("wizard.rubric.open")}
          </Link>
        </Button>
      )}
    </div>
  );
}
