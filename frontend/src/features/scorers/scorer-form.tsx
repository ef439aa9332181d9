import { useTranslation } from "react-i18next";
import type { SavedScorer, ScorerKind } from "@/api/types";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { CommonFields } from "@/components/scorer-options/common-fields";
import { ScorerOptions } from "@/components/scorer-options/scorer-options";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { RubricChoice } from "./rubric-choice";
import type { ScorerDraft } from "./scorer-draft";

export interface NameFieldsProps {
  name: string;
  description: string;
  errors: FieldErrors;
  disabled: boolean;
  onChanged: (part: { name?: string; description?: string }) => void;
}

/** Name and description of scorers and rubrics. */
export function NameFields(props: NameFieldsProps) {
  const { name, description, errors, disabled, onChanged } = props;
  const { t } = useTranslation();
  return (
    <>
      <Field required label={t("fields.name")} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            maxLength={100}
            disabled={disabled}
            value={name}
            onChange={(event) => onChanged({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("fields.description")} error={errors.description}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={1000}
            disabled={disabled}
            value={description}
            onChange={(event) => onChanged({ description: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

export interface ScorerFormProps {
  slug: string;
  kind: ScorerKind;
  draft: ScorerDraft;
  saved: SavedScorer | null;
  errors: FieldErrors;
  disabled: boolean;
  onDraftChanged: (part: Partial<ScorerDraft>) => void;
}

const CRITERIA = ["criteria"];

/** Name, options of the kind, and common options. */
export function ScorerForm(props: ScorerFormProps) {
  const { slug, kind, draft, saved, errors, disabled, onDraftChanged } = props;
  const { t } = useTranslation();
  const hasRubric = draft.rubricVersionId !== null;
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title={t("scorers.form.about")} description={kind.description} />
        <CardContent className="grid gap-5">
          <NameFields {...draft} errors={errors} disabled={disabled} onChanged={onDraftChanged} />
          {errors.kind === undefined ? null : <FieldError>{errors.kind}</FieldError>}
        </CardContent>
      </Card>
      {Object.keys(kind.options_schema.properties ?? {}).length === 0 ? null : (
        <Card>
          <CardHeader title={kind.title} description={t("scorers.form.optionsHint")} />
          <CardContent className="grid gap-5">
            {kind.takes_rubric ? (
              <RubricChoice
                slug={slug}
                versionId={draft.rubricVersionId}
                saved={saved?.rubric ?? null}
                error={errors.rubric_version_id}
                disabled={disabled}
                onVersionChanged={(rubricVersionId) => onDraftChanged({ rubricVersionId })}
              />
            ) : null}
            <ScorerOptions
              slug={slug}
              kind={kind}
              value={draft.options}
              errors={errorsBelow(errors, "options")}
              hidden={hasRubric ? CRITERIA : []}
              disabled={disabled}
              onValueChanged={(options) => onDraftChanged({ options })}
            />
            {errors.options === undefined ? null : <FieldError>{errors.options}</FieldError>}
          </CardContent>
        </Card>
      )}
      <Card>
        <CardHeader
          title={t("scorers.form.counting")}
          description={t("scorers.form.countingHint")}
        />
        <CardContent>
          <CommonFields
            values={draft}
            errors={errors}
            disabled={disabled}
            onChanged={onDraftChanged}
          />
        </CardContent>
      </Card>
    </div>
  );
}
