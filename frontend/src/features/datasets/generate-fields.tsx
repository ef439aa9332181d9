import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Alert } from "@/components/ui/alert";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { ATTACKS, LENGTHS, LEVELS, toggle, type GenerateForm } from "./generate-form-state";
import { promptChoicesQuery } from "@/api/prompts";
import { LoadError } from "@/components/load-error";

export interface GenerateFieldsProps {
  slug: string;
  form: GenerateForm;
  onFormChanged: (form: GenerateForm) => void;
  errors: Partial<Record<string, string>>;
}

interface TextFieldProps extends GenerateFieldsProps {
  name: "hints" | "topic" | "types" | "languages" | "instructions" | "variables" | "tags" | "count";
  required?: boolean;
  isLong?: boolean;
}

export function TextField({ name, required = false, isLong = false, ...props }: TextFieldProps) {
  const { form, onFormChanged, errors } = props;
  const { t } = useTranslation();
  const Control = isLong ? Textarea : Input;
  const kindHint = name === "hints" && form.kind === "synthetic";
  return (
    <Field
      required={required}
      label={t(`datasets.generate.fields.${name}`)}
      hint={t(`datasets.generate.hints.${kindHint ? "domain" : name}`)}
      error={errors[name]}
    >
      {(control) => (
        <Control
          {...control}
          autoComplete="off"
          {...(name === "count" ? { inputMode: "numeric" } : {})}
          value={form[name]}
          onChange={(event) => onFormChanged({ ...form, [name]: event.target.value })}
        />
      )}
    </Field>
  );
}

function Diversity({ form, onFormChanged }: GenerateFieldsProps) {
  const { t } = useTranslation();
  return (
    <Field
      required
      label={t("datasets.generate.fields.diversity", { value: form.diversity })}
      hint={t("datasets.generate.hints.diversity")}
    >
      {(control) => (
        <input
          {...control}
          aria-required={undefined}
          type="range"
          min={1}
          max={10}
          value={form.diversity}
          onChange={(event) => onFormChanged({ ...form, diversity: Number(event.target.value) })}
          className="h-10 w-full accent-accent-solid"
        />
      )}
    </Field>
  );
}

interface ChecksProps<V extends string> {
  legend: string;
  options: readonly { value: V; label: string }[];
  chosen: readonly V[];
  error: string | undefined;
  onToggled: (value: V) => void;
}

function Checks<V extends string>({ legend, options, chosen, error, onToggled }: ChecksProps<V>) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <span id={id} className="text-sm font-medium">
        {legend}
      </span>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onCheckedChanged={() => onToggled(value)}
          />
        ))}
      </div>
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </div>
  );
}

function SyntheticFields(props: GenerateFieldsProps) {
  const { form, onFormChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextField {...props} name="hints" required isLong />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Diversity {...props} />
        <TextField {...props} name="languages" />
      </div>
      <Checks
        legend={t("datasets.generate.fields.lengths")}
        options={LENGTHS.map((value) => ({
          value,
          label: t(`datasets.generate.lengths.${value}`),
        }))}
        chosen={form.lengths}
        error={errors.length_buckets}
        onToggled={(value) =>
          onFormChanged({ ...form, lengths: toggle(LENGTHS, form.lengths, value) })
        }
      />
    </>
  );
}

/** Picker of the prompt to attack. */
function PromptField({ slug, form, onFormChanged, errors }: GenerateFieldsProps) {
  const { t } = useTranslation();
  const prompts = useQuery(promptChoicesQuery(slug));
  const choices = (prompts.data ?? []).filter((prompt) => prompt.archived_at === null);
  if (prompts.data !== undefined && choices.length === 0) {
    return <Alert tone="info">{t("datasets.generate.noPrompts")}</Alert>;
  }
  if (prompts.isLoadingError) {
    return <LoadError queries={[prompts]} />;
  }
  return (
    <Field required label={t("datasets.generate.fields.prompt")} error={errors.prompt_id}>
      {(control) => (
        <Select
          {...control}
          value={form.promptId}
          placeholder={t("datasets.generate.choosePrompt")}
          options={choices.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChanged={(promptId) => onFormChanged({ ...form, promptId })}
        />
      )}
    </Field>
  );
}

function AdversarialFields(props: GenerateFieldsProps) {
  const { form, onFormChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <>
      {form.written === null ? <PromptField {...props} /> : null}
      {errors.prompt === undefined ? null : <FieldError>{errors.prompt}</FieldError>}
      <Checks
        legend={t("datasets.generate.fields.attacks")}
        options={ATTACKS.map((value) => ({
          value,
          label: t(`datasets.generate.attacks.${value}`),
        }))}
        chosen={form.attacks}
        error={errors.attacks}
        onToggled={(value) =>
          onFormChanged({ ...form, attacks: toggle(ATTACKS, form.attacks, value) })
        }
      />
      <TextField {...props} name="hints" isLong />
    </>
  );
}

function QuestionFields(props: GenerateFieldsProps) {
  const { form, onFormChanged, errors } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextField {...props} name="topic" required />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField {...props} name="types" />
        <Field required label={t("datasets.columns.difficulty")} error={errors.difficulty}>
          {(control) => (
            <Select
              {...control}
              value={form.level}
              options={LEVELS.map((value) => ({
                value,
                label: t(`datasets.generate.levels.${value}`),
              }))}
              onValueChanged={(level) => onFormChanged({ ...form, level })}
            />
          )}
        </Field>
      </div>
      <TextField {...props} name="instructions" isLong />
      <TextField {...props} name="languages" />
    </>
  );
}

/** Fields specific to the kind of generation. */
export function KindFields(props: GenerateFieldsProps) {
  switch (props.form.kind) {
    case "synthetic":
      return <SyntheticFields {...props} />;
    case "adversarial":
      return <AdversarialFields {...props} />;
    case "questions":
      return <QuestionFields {...props} />;
    case "gaps":
      return (
        <>
          <TextField {...props} name="hints" isLong />
          <Diversity {...props} />
        </>
      );
  }
}
