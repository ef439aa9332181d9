import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ON_EXISTING, type ImportChoice } from "@/api/imports";
import { modelsQuery } from "@/api/models";
import type { FileImport, ImportFormat } from "@/api/imports";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { ModelSelect } from "@/components/model-chooser/model-select";
import { Select } from "@/components/ui/select";

const AUTOMATIC = "automatic";

export interface ImportChoicesProps {
  slug: string;
  formats: readonly ImportFormat[];
  choice: ImportChoice;
  preview: FileImport | null;
  disabled: boolean;
  onChanged: (part: Partial<ImportChoice>) => void;
}

function GraderField({ slug, choice, preview, disabled, onChanged }: ImportChoicesProps) {
  const { t } = useTranslation();
  const models = useQuery(modelsQuery(slug));
  const usual = choice.graderId === null ? preview?.grader : null;
  return (
    <div className="grid gap-2">
      <Field required label={t("imports.grader")} hint={t("imports.graderHint")}>
        {(control) => (
          <ModelSelect
            {...control}
            disabled={disabled}
            models={models.data ?? []}
            chosen={choice.graderId}
            other={{
              label:
                typeof usual === "string"
                  ? t("imports.graderUsualNamed", { name: usual })
                  : t("imports.graderUsual"),
              onChosen: () => onChanged({ graderId: null }),
            }}
            onChosen={(graderId) => onChanged({ graderId })}
          />
        )}
      </Field>
      <LoadError queries={[models]} />
    </div>
  );
}

/** How the file is read and stored. */
export function ImportChoices(props: ImportChoicesProps) {
  const { formats, choice, preview, disabled, onChanged } = props;
  const { t } = useTranslation();
  const recognised = formats.find(({ key }) => choice.format === null && key === preview?.format);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-3">
      <Field required label={t("imports.format")}>
        {(control) => (
          <Select
            {...control}
            disabled={disabled}
            value={choice.format ?? AUTOMATIC}
            options={[
              {
                value: AUTOMATIC,
                label:
                  recognised === undefined
                    ? t("imports.automatic")
                    : t("imports.recognised", { title: recognised.title }),
              },
              ...formats.map(({ key, title }) => ({ value: key, label: title })),
            ]}
            onValueChanged={(value) => onChanged({ format: value === AUTOMATIC ? null : value })}
          />
        )}
      </Field>
      <Field required label={t("imports.onExisting")}>
        {(control) => (
          <Select
            {...control}
            disabled={disabled}
            value={choice.existing}
            options={ON_EXISTING.map((value) => ({
              value,
              label: t(`imports.onExistingChoices.${value}`),
            }))}
            onValueChanged={(existing) => onChanged({ existing })}
          />
        )}
      </Field>
      {preview?.needs_grader === true ? <GraderField {...props} /> : null}
    </div>
  );
}
