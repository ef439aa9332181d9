import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useState } from "react";
import { Controller, useForm, type Control } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { placeProblem } from "@/api/form-problem";
import { keys } from "@/api/keys";
import type { SettingsRead } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { ConflictDialog } from "./conflict-dialog";
import { settingsQuery } from "./queries";
import {
  SETTINGS_FIELDS,
  settingsSchema,
  staleSettings,
  toUpdate,
  toValues,
  type CurrentSettings,
  type SettingsValues,
} from "./settings-values";

export interface SettingsFormProps {
  slug: string;
  settings: SettingsRead;
  editable: boolean;
}

interface Conflict {
  mine: SettingsValues;
  current: CurrentSettings;
}

function useSettingsForm({ slug, settings }: SettingsFormProps) {
  const { t } = useTranslation();
  const save = useChange(
    "put",
    "/projects/{project}/settings",
    { project: slug },
    {
      refresh: [keys.audit(slug)],
      keep: (queryClient, saved) => queryClient.setQueryData(settingsQuery(slug).queryKey, saved),
    },
  );
  const [base, setBase] = useState(settings);
  const [message, setMessage] = useState<string | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const form = useForm<SettingsValues>({
    resolver: zodResolver(settingsSchema),
    mode: "onTouched",
    defaultValues: toValues(settings),
  });
  const { isDirty } = form.formState;

  // Other users' changes show immediately, unless they would overwrite unsaved edits.
  if (settings.version > base.version && !isDirty) {
    setBase(settings);
  }
  const { reset } = form;
  useEffect(() => reset(toValues(base)), [base, reset]);

  const submit = async (values: SettingsValues, version: number) => {
    setMessage(null);
    try {
      const saved = await save.mutateAsync({ body: toUpdate(values, version) });
      setConflict(null);
      setBase(saved);
      toast.success(t("settings.saved"));
    } catch (error) {
      const current = staleSettings(error);
      if (current !== null) {
        setConflict({ mine: values, current });
        return;
      }
      setConflict(null);
      setMessage(placeProblem<SettingsValues>(error, SETTINGS_FIELDS, form.setError));
    }
  };
  return { form, save, base, message, conflict, setConflict, submit };
}

function SwitchField(props: {
  control: Control<SettingsValues>;
  name: "allow_synthetic_datasets" | "require_review_approval";
  disabled: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Controller
      control={props.control}
      name={props.name}
      render={({ field }) => (
        <Switch
          label={t(`settings.fields.${props.name}.label`)}
          description={t(`settings.fields.${props.name}.hint`)}
          checked={field.value}
          onCheckedChanged={field.onChange}
          disabled={props.disabled}
        />
      )}
    />
  );
}

const NUMBER_FIELDS = [
  { name: "default_budget_usd", unit: "USD" },
  { name: "default_max_iterations", unit: null },
  { name: "archive_days", unit: null },
  { name: "retention_days", unit: null },
  { name: "cost_alert_percent", unit: "%" },
] as const;

export function SettingsForm(props: SettingsFormProps) {
  const { editable, settings } = props;
  const { t } = useTranslation();
  const { form, save, base, message, conflict, setConflict, submit } = useSettingsForm(props);
  const { register, control, formState } = form;
  const { errors, isDirty } = formState;
  const onSubmit = form.handleSubmit((values) => submit(values, base.version));
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)}>
      <UnsavedGuard dirty={isDirty} />
      <Card aria-labelledby="defaults-heading">
        <CardHeader
          id="defaults-heading"
          title={t("settings.defaults.title")}
          description={t("settings.defaults.description")}
        />
        <CardContent className="grid gap-6">
          <FormAlert message={message} />
          {isDirty && settings.version !== base.version ? (
            <Alert tone="info">{t("settings.changedMeanwhile")}</Alert>
          ) : null}
          <div className="grid gap-5 sm:grid-cols-2">
            {NUMBER_FIELDS.map(({ name, unit }) => (
              <Field
                key={name}
                required
                label={t(`settings.fields.${name}.label`)}
                hint={t(`settings.fields.${name}.hint`)}
                error={errors[name]?.message}
              >
                {(field) => (
                  <div className="relative">
                    <Input
                      {...field}
                      inputMode="decimal"
                      readOnly={!editable}
                      className={unit === null ? "tabular-nums" : "pr-12 tabular-nums"}
                      {...register(
                        name,
                        name === "default_budget_usd" ? {} : { valueAsNumber: true },
                      )}
                    />
                    {unit === null ? null : (
                      <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-xs text-ink-muted">
                        {unit}
                      </span>
                    )}
                  </div>
                )}
              </Field>
            ))}
          </div>
          <div className="grid gap-5 border-t border-border pt-6">
            <SwitchField control={control} name="require_review_approval" disabled={!editable} />
            <SwitchField control={control} name="allow_synthetic_datasets" disabled={!editable} />
          </div>
        </CardContent>
        {editable ? (
          <CardFooter className="justify-between">
            <span className="text-xs text-ink-muted">
              {isDirty ? (
                t("settings.unsaved")
              ) : (
                <>
                  {t("settings.lastSaved")} <RelativeTime iso={base.updated_at} />
                </>
              )}
            </span>
            <div className="flex gap-2">
              <Button
                variant="ghost"
                size="sm"
                disabled={!isDirty}
                onClick={() => form.reset(toValues(base))}
              >
                {t("ui.discard")}
              </Button>
              <Button type="submit" size="sm" disabled={!isDirty} loading={save.isPending}>
                {t("ui.save")}
              </Button>
            </div>
          </CardFooter>
        ) : null}
      </Card>
      {conflict === null ? null : (
        <ConflictDialog
          key={conflict.current.version}
          {...conflict}
          saving={save.isPending}
          onResolved={(values, version) => void submit(values, version)}
          onClosed={() => setConflict(null)}
        />
      )}
    </form>
  );
}
