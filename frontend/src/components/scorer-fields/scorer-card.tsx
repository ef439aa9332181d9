import { useTranslation } from "react-i18next";
import type { CostClass, SavedScorerSummary, ScorerKind } from "@/api/types";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { errorsBelow, type FieldErrors } from "@/components/schema-form/validate";
import { CardHead } from "@/components/scorer-options/card-head";
import { CommonFields } from "@/components/scorer-options/common-fields";
import { commonSchema } from "@/components/scorer-options/common-schema";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import { SavedScorerHead } from "@/components/scorer-options/saved-scorer-head";
import { ScorerOptions } from "@/components/scorer-options/scorer-options";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { FieldError } from "@/components/ui/field";
import type { ScorerDraft } from "./scorer-draft";

export interface CardProps {
  slug: string;
  draft: ScorerDraft;
  errors: FieldErrors;
  onChanged: (draft: ScorerDraft) => void;
  onRemoved: () => void;
}

/** A scorer defined here. */
export function ScorerCard({ kind, ...props }: CardProps & { kind: ScorerKind }) {
  const { slug, draft, errors, onChanged, onRemoved } = props;
  const { t } = useTranslation();
  const { options: own, ...common } = errors;
  return (
    <Card className="grid gap-4 p-4">
      <CardHead
        title={kind.title}
        description={kind.description}
        badges={
          <>
            <CostBadge cost={kind.cost_class as CostClass} />
            {kind.needs_expected ? (
              <Badge tone="outline">{t("runs.new.needsExpected")}</Badge>
            ) : null}
          </>
        }
        onRemoved={onRemoved}
      />
      <ScorerOptions
        slug={slug}
        kind={kind}
        value={draft.options}
        errors={errorsBelow(errors, "options")}
        onValueChanged={(options) => onChanged({ ...draft, options })}
      />
      <CommonFields
        values={draft}
        errors={common}
        onChanged={(values) => onChanged({ ...draft, ...values })}
      />
      {own === undefined ? null : <FieldError>{own}</FieldError>}
    </Card>
  );
}

function weightSchema() {
  const { type, properties } = commonSchema();
  return { type, properties: { weight: properties.weight } };
}

/** A saved scorer: only its weight is set here. */
export function SavedScorerCard({ scorer, ...props }: CardProps & { scorer: SavedScorerSummary }) {
  const { slug, draft, errors, onChanged, onRemoved } = props;
  const refused = errors.scorer_version_id ?? errors.options ?? errors.kind;
  return (
    <Card className="grid gap-4 p-4">
      <SavedScorerHead slug={slug} scorer={scorer} onRemoved={onRemoved} />
      <SchemaForm
        columns={2}
        schema={weightSchema()}
        value={{ weight: draft.weight }}
        errors={errors}
        onValueChanged={({ weight }) => onChanged({ ...draft, weight: weight as number | null })}
      />
      {refused === undefined ? null : <FieldError>{refused}</FieldError>}
    </Card>
  );
}

/** A version of a saved scorer that is not its latest, or of an archived one. */
export function EarlierScorerCard({ draft, errors, onRemoved }: CardProps) {
  const { t } = useTranslation();
  const refused = errors.scorer_version_id;
  return (
    <Card className="grid gap-4 p-4">
      <CardHead
        title={draft.label ?? t("scorers.earlier.title")}
        badges={null}
        description={t("scorers.earlier.body")}
        onRemoved={onRemoved}
      />
      {refused === undefined ? null : <FieldError>{refused}</FieldError>}
    </Card>
  );
}
