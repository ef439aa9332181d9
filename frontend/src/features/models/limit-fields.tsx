import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { credentialsQuery, providersQuery } from "@/api/credentials";
import type { Model } from "@/api/types";
import { completed, limitErrors, modelLimitSchema } from "@/components/call-limits/limit-schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import type { ModelDraft } from "./model-draft";

export interface LimitFieldsProps {
  slug: string;
  model: Model;
  draft: ModelDraft;
  onDraftChanged: (draft: ModelDraft) => void;
  errors: FieldErrors;
  editable: boolean;
}

/** Timeout, concurrency and retries of a model's calls; empty fields show what applies instead. */
export function LimitFields(props: LimitFieldsProps) {
  const { slug, model, draft, onDraftChanged, errors, editable } = props;
  const { t } = useTranslation();
  const credentials = useQuery(credentialsQuery(slug));
  const providers = useQuery(providersQuery(slug));
  const credential = credentials.data?.find((each) => each.id === model.credential_id);
  const provider = providers.data?.find((each) => each.key === model.provider);
  return (
    <>
      <p className="text-xs text-ink-muted">{t("models.limits.description")}</p>
      <SchemaForm
        columns={2}
        schema={modelLimitSchema(completed(credential?.limits, provider?.limits))}
        value={draft.limits}
        errors={limitErrors(errors)}
        disabled={!editable}
        onValueChanged={(limits) => onDraftChanged({ ...draft, limits })}
      />
    </>
  );
}
