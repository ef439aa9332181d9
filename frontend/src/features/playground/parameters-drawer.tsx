import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import type { FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { validate } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import type { Column } from "./session";

export interface ParametersDrawerProps {
  slug: string;
  columns: readonly Column[];
  models: readonly Model[];
  onColumnsChanged: (columns: readonly Column[]) => void;
  onClosed: () => void;
}

interface ColumnParametersProps {
  slug: string;
  number: number;
  column: Column;
  model: Model | undefined;
  value: FormValue;
  onValueChanged: (value: FormValue, isValid: boolean) => void;
  onCopied: (() => void) | null;
}

function ColumnParameters(props: ColumnParametersProps) {
  const { slug, number, column, model, value, onValueChanged, onCopied } = props;
  const { t } = useTranslation();
  const { schema, isPending } = useParameterSchema(slug, model, { current: value, showsOwn: true });
  const name = model?.display_name ?? t("playground.parameters.gone");
  return (
    <fieldset className="grid gap-3 rounded-lg border border-border p-4">
      <legend className="px-1 text-sm font-medium">
        {number}. {name}
        {column.label === null ? null : (
          <span className="font-normal text-ink-muted"> · {column.label}</span>
        )}
      </legend>
      {isPending ? (
        <LoadingStatus>
          <Skeleton className="h-24" />
        </LoadingStatus>
      ) : (
        <SchemaForm
          columns={2}
          schema={schema}
          value={value}
          errors={validate(value, schema)}
          onValueChanged={(next) =>
            onValueChanged(next, Object.keys(validate(next, schema)).length === 0)
          }
        />
      )}
      {onCopied === null ? null : (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={onCopied}>
          {t("playground.parameters.copy")}
        </Button>
      )}
    </fieldset>
  );
}

/** Parameters of each column, with the ranges of its model. */
export function ParametersDrawer(props: ParametersDrawerProps) {
  const { slug, columns, models, onColumnsChanged, onClosed } = props;
  const { t } = useTranslation();
  const [values, setValues] = useState<readonly FormValue[]>(() =>
    columns.map(({ parameters }) => ({ ...parameters })),
  );
  const [broken, setBroken] = useState<ReadonlySet<number>>(new Set());
  const change = (index: number, value: FormValue, isValid: boolean) => {
    setValues(values.with(index, value));
    setBroken(
      new Set([...[...broken].filter((each) => each !== index), ...(isValid ? [] : [index])]),
    );
  };
  const apply = () => {
    onColumnsChanged(
      columns.map((column, index) => {
        const parameters = setParameters(values[index] ?? {});
        const isSame = JSON.stringify(parameters) === JSON.stringify(column.parameters ?? {});
        return isSame
          ? column
          : {
              ...column,
              parameters: Object.keys(parameters).length === 0 ? null : parameters,
              label: null,
              position: null,
            };
      }),
    );
    onClosed();
  };
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={t("playground.parameters.title")}
      description={t("playground.parameters.description")}
    >
      <div className="grid gap-5">
        {columns.map((column, index) => (
          <ColumnParameters
            key={column.key}
            slug={slug}
            number={index + 1}
            column={column}
            model={models.find(({ id }) => id === column.modelId)}
            value={values[index] ?? {}}
            onValueChanged={(value, isValid) => change(index, value, isValid)}
            onCopied={
              columns.length === 1 ? null : () => setValues(values.map(() => values[index] ?? {}))
            }
          />
        ))}
        <div className="sticky -bottom-5 -mx-6 -mb-5 flex justify-end gap-2 border-t border-border bg-raised px-6 py-4">
          <Button variant="ghost" onClick={onClosed}>
            {t("ui.cancel")}
          </Button>
          <Button disabled={broken.size > 0} onClick={apply}>
            {t("playground.parameters.apply")}
          </Button>
        </div>
      </div>
    </Drawer>
  );
}
