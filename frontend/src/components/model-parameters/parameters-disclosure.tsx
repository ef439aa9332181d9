import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import type { FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Disclosure } from "@/components/ui/disclosure";
import { setParameters } from "./parameter-schema";
import { useParameterSchema } from "./use-parameter-schema";

export interface ParametersDisclosureProps {
  slug: string;
  model: Model;
  parameters: FormValue;
  errors: FieldErrors;
  onParametersChanged: (parameters: FormValue) => void;
}

/** Parameters of a chosen model, folded away until they are needed. */
export function ParametersDisclosure(props: ParametersDisclosureProps) {
  const { slug, model, parameters, errors, onParametersChanged } = props;
  const { t } = useTranslation();
  const { schema } = useParameterSchema(slug, model, { current: parameters, showsOwn: true });
  const count = Object.keys(setParameters(parameters)).length;
  return (
    <Disclosure
      label={
        count === 0 ? t("monitors.form.parameters") : t("monitors.form.parametersSet", { count })
      }
      forcedOpen={Object.keys(errors).length > 0}
    >
      <SchemaForm
        columns={2}
        schema={schema}
        value={parameters}
        errors={errors}
        onValueChanged={onParametersChanged}
      />
    </Disclosure>
  );
}
