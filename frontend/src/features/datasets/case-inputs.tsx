import { Plus, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { cn } from "@/lib/cn";
import { newInput, type CaseForm, type FormErrors, type InputField } from "./case-form-state";

export interface CaseInputsProps {
  form: CaseForm;
  onFormChanged: (form: CaseForm) => void;
  errors: FormErrors;
  editable: boolean;
  /** Writing begins with the first variable; split and origin may be left to the server. */
  isNew: boolean;
}

interface InputFieldsProps extends Pick<CaseInputsProps, "errors" | "editable"> {
  field: InputField;
  index: number;
  hasFocus: boolean;
  onFieldChanged: (field: InputField) => void;
}

function AbsentInput({ field, editable, onFieldChanged }: InputFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center justify-between gap-3 rounded-md border border-dashed border-border-strong px-3 py-2 text-sm text-ink-muted">
      <span className="min-w-0 wrap-anywhere">
        {t("datasets.form.absent", { name: field.name })}
      </span>
      {editable ? (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => onFieldChanged({ ...field, isPresent: true })}
        >
          <Plus aria-hidden />
          {t("datasets.form.addValue")} <span className="sr-only">{field.name}</span>
        </Button>
      ) : null}
    </div>
  );
}

function PresentInput(props: InputFieldsProps) {
  const { field, index, errors, editable, hasFocus, onFieldChanged } = props;
  const { t } = useTranslation();
  const isJson = field.writing === "json";
  return (
    <div className="relative grid gap-3">
      {field.isNew ? (
        <Field
          required
          label={t("datasets.form.variableName")}
          hint={t("datasets.form.variableHint")}
          error={errors[`name.${index}`]}
        >
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              placeholder="question"
              value={field.name}
              onChange={(event) => onFieldChanged({ ...field, name: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <Field
        required
        label={
          field.isNew ? (
            t("datasets.form.value")
          ) : (
            <span className="font-mono wrap-anywhere">{field.name}</span>
          )
        }
        error={errors[`inputs.${field.name.trim()}`]}
      >
        {(control) => (
          <Textarea
            {...control}
            autoFocus={hasFocus && !field.isNew}
            rows={3}
            readOnly={!editable}
            spellCheck={!isJson}
            className={cn("field-sizing-content max-h-80", isJson && "font-mono text-xs")}
            value={field.text}
            onChange={(event) => onFieldChanged({ ...field, text: event.target.value })}
          />
        )}
      </Field>
      {editable ? (
        <div className="absolute -top-1.5 right-0 flex gap-1">
          <button
            type="button"
            aria-pressed={isJson}
            aria-label={t("datasets.form.asJson", { name: field.name })}
            onClick={() => onFieldChanged({ ...field, writing: isJson ? "text" : "json" })}
            className="h-6 rounded-sm px-1.5 font-mono text-xs text-ink-muted hover:bg-surface-hover aria-pressed:bg-accent-bg aria-pressed:text-on-accent-bg"
          >
            JSON
          </button>
          <button
            type="button"
            aria-label={t("datasets.form.removeValue", { name: field.name })}
            onClick={() => onFieldChanged({ ...field, isPresent: false })}
            className="flex size-6 items-center justify-center rounded-sm text-ink-subtle hover:bg-surface-hover hover:text-ink"
          >
            <Trash2 aria-hidden className="size-3.5" />
          </button>
        </div>
      ) : null}
    </div>
  );
}

/** Input variables of a case; it may omit some of its dataset's variables. */
export function CaseInputs({ form, onFormChanged, errors, editable, isNew }: CaseInputsProps) {
  const { t } = useTranslation();
  const change = (at: number, field: InputField) =>
    onFormChanged({
      ...form,
      // A removed new variable is dropped entirely.
      inputs: form.inputs.flatMap((each, index) =>
        index !== at ? [each] : field.isNew && !field.isPresent ? [] : [field],
      ),
    });
  return (
    <div className="grid gap-4">
      {form.inputs.map((field, index) => {
        const Shown = field.isPresent ? PresentInput : AbsentInput;
        return (
          <Shown
            key={field.isNew ? `new-${index}` : field.name}
            field={field}
            index={index}
            errors={errors}
            editable={editable}
            hasFocus={isNew && index === 0}
            onFieldChanged={(next) => change(index, next)}
          />
        );
      })}
      {editable ? (
        <div>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => onFormChanged({ ...form, inputs: [...form.inputs, newInput()] })}
          >
            <Plus aria-hidden />
            {t("datasets.form.addVariable")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
