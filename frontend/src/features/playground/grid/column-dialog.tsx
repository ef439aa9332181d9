import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsQuery } from "@/api/models";
import type { Model } from "@/api/types";
import { versionChoicesQuery } from "@/api/version-choices";
import { LoadError } from "@/components/load-error";
import { MissingModels } from "@/components/missing-models";
import { ModelListbox } from "@/components/model-chooser/model-listbox";
import { setParameters } from "@/components/model-parameters/parameter-schema";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import { ProblemState } from "@/components/problem-state";
import type { FormValue } from "@/components/schema-form/schema";
import { SchemaForm } from "@/components/schema-form/schema-form";
import { validate, type FieldErrors } from "@/components/schema-form/validate";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Disclosure } from "@/components/ui/disclosure";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { FormSkeleton } from "@/components/ui/skeleton";
import type { VersionChoice } from "../arrange";
import type { Column, ColumnSettings } from "../session";

const LONGEST_LABEL = 80;
const DRAFT = "draft";

export interface ColumnDialogProps {
  slug: string;
  /** The column to edit; null adds one. */
  column: Column | null;
  /** Prompt whose versions can be chosen; null uses the draft. */
  versionsOf: string | null;
  onChosen: (settings: ColumnSettings) => void;
  onClosed: () => void;
}

/** Empty values become null: the model's own parameters. */
function toParameters(value: FormValue): ColumnSettings["parameters"] {
  const set = setParameters(value);
  return Object.keys(set).length === 0 ? null : set;
}

function useColumnForm({ slug, column, onChosen }: ColumnDialogProps, models: readonly Model[]) {
  const [modelId, setModelId] = useState(column?.modelId ?? null);
  const [versionId, setVersionId] = useState(column?.versionId ?? null);
  const [label, setLabel] = useState(column?.label ?? "");
  const [parameters, setValues] = useState<FormValue>({ ...column?.parameters });
  const [errors, setErrors] = useState<FieldErrors>({});
  const model = models.find(({ id }) => id === modelId);
  const { schema } = useParameterSchema(slug, model, { current: parameters, showsOwn: true });
  const submit = () => {
    const found = validate(parameters, schema);
    setErrors(found);
    if (model !== undefined && Object.keys(found).length === 0) {
      onChosen({
        modelId: model.id,
        versionId,
        parameters: toParameters(parameters),
        label: label.trim() === "" ? null : label.trim(),
      });
    }
  };
  /** Names the column after its version, unless it was renamed. */
  const chooseVersion = (choice: VersionChoice, isOwnName: boolean, draftLabel: string) => {
    setVersionId(choice?.id ?? null);
    if (!isOwnName) {
      setLabel(choice?.label ?? draftLabel);
    }
  };
  return {
    ...{ model, setModelId, versionId, chooseVersion, label, setLabel },
    ...{ parameters, setValues, errors, schema, submit },
  };
}

interface VersionFieldProps {
  slug: string;
  promptId: string;
  form: ReturnType<typeof useColumnForm>;
}

/** Version picker of a column. */
function VersionField({ slug, promptId, form }: VersionFieldProps) {
  const { t } = useTranslation();
  const saved = useQuery(versionChoicesQuery(slug, promptId));
  const versions = saved.data ?? [];
  const draft = t("playground.arrange.draft");
  const names = ["", draft, ...versions.map((version) => version.label)];
  if (saved.isLoadingError) {
    return <LoadError queries={[saved]} />;
  }
  return (
    <Field required label={t("playground.column.version")}>
      {(control) => (
        <Select
          {...control}
          value={form.versionId ?? DRAFT}
          options={[
            { value: DRAFT, label: draft },
            ...versions.map(({ id, label, name }) => ({ value: id, label, description: name })),
          ]}
          onValueChanged={(id) =>
            form.chooseVersion(
              versions.find((version) => version.id === id) ?? null,
              !names.includes(form.label.trim()),
              draft,
            )
          }
        />
      )}
    </Field>
  );
}

function ColumnForm(props: ColumnDialogProps & { models: readonly Model[] }) {
  const { column, models, onClosed } = props;
  const { t } = useTranslation();
  const form = useColumnForm(props, models);
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <ModelListbox
        isInline
        label={t("playground.column.model")}
        models={models}
        chosen={form.model?.id ?? null}
        onChosen={form.setModelId}
      />
      {props.versionsOf === null ? null : (
        <VersionField slug={props.slug} promptId={props.versionsOf} form={form} />
      )}
      <Field label={t("playground.column.label")} hint={t("playground.column.labelHint")}>
        {(control) => (
          <Input
            {...control}
            maxLength={LONGEST_LABEL}
            value={form.label}
            onChange={(event) => form.setLabel(event.target.value)}
          />
        )}
      </Field>
      {form.model === undefined ? null : (
        <Disclosure
          label={t("playground.column.parameters")}
          forcedOpen={Object.keys(form.errors).length > 0}
        >
          <SchemaForm
            columns={2}
            schema={form.schema}
            value={form.parameters}
            errors={form.errors}
            onValueChanged={form.setValues}
          />
        </Disclosure>
      )}
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" disabled={form.model === undefined}>
          {column === null ? t("playground.column.add") : t("playground.column.save")}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Edits a column: model, parameters and version. */
export function ColumnDialog(props: ColumnDialogProps) {
  const { slug, column, onClosed } = props;
  const { t } = useTranslation();
  const query = useQuery(modelsQuery(slug));
  const models = query.data?.filter(({ is_enabled, id }) => is_enabled || id === column?.modelId);
  return (
    <Dialog
      open
      width="lg"
      onOpenChanged={onClosed}
      title={column === null ? t("playground.column.addTitle") : t("playground.column.editTitle")}
      description={column === null ? undefined : t("playground.column.editHint")}
    >
      {query.isError ? (
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isPending ? <FormSkeleton fields={3} /> : null}
      {models?.length === 0 ? <MissingModels slug={slug} /> : null}
      {models === undefined || models.length === 0 ? null : (
        <ColumnForm {...props} models={models} />
      )}
    </Dialog>
  );
}
