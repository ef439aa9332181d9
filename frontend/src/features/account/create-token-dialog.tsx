import { Controller, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { TokenCreated } from "@/api/types";
import { useChange } from "@/api/use-change";
import { CopyField } from "@/components/copy-field";
import { DialogForm } from "@/components/dialog-form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { Select } from "@/components/ui/select";
import { i18n } from "@/lib/i18n";
import { TokenProjects } from "./token-projects";

const SCOPES = ["read", "write", "admin"] as const;
const LIFETIMES = ["30", "90", "365", "never"] as const;

const schema = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, { error: () => i18n.t("validation.nameRequired") })
      .max(100, { error: () => i18n.t("validation.nameTooLong", { limit: 100 }) }),
    scope: z.enum(SCOPES),
    lifetime: z.enum(LIFETIMES),
    reach: z.enum(["all", "some"]),
    projects: z.array(z.string()),
  })
  .refine((values) => values.reach === "all" || values.projects.length > 0, {
    path: ["projects"],
    error: () => i18n.t("account.tokens.chooseProject"),
  });
type Values = z.infer<typeof schema>;

export interface CreateTokenDialogProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

function Created({ token, onDone }: { token: TokenCreated; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-5">
      <Alert tone="warning">{t("account.tokens.once")}</Alert>
      <CopyField
        label={t("account.tokens.token")}
        text={token.token}
        copyLabel={t("account.tokens.copy")}
      />
      <DialogFooter>
        <Button onClick={onDone}>{t("ui.done")}</Button>
      </DialogFooter>
    </div>
  );
}

function CreateTokenForm({ onOpenChanged }: CreateTokenDialogProps) {
  const { t } = useTranslation();
  const create = useChange("post", "/auth/tokens", {});
  const { register, control, formState, message, submit } = useServerForm<Values>({
    schema,
    fields: ["name", "scope", "projects"],
    defaultValues: { name: "", scope: "read", lifetime: "90", reach: "all", projects: [] },
    onSubmitted: ({ name, scope, lifetime, reach, projects }) =>
      create.mutateAsync({
        body: {
          name,
          scope,
          expires_in_days: lifetime === "never" ? null : Number(lifetime),
          project_ids: reach === "all" ? null : projects,
        },
      }),
  });
  const { errors } = formState;
  const [reach, lifetime] = useWatch({ control, name: ["reach", "lifetime"] });
  if (create.isSuccess) {
    return <Created token={create.data} onDone={() => onOpenChanged(false)} />;
  }
  return (
    <DialogForm
      message={message}
      submitLabel={t("account.tokens.create")}
      isSaving={create.isPending}
      onSubmitted={() => void submit()}
      onCancelled={() => onOpenChanged(false)}
    >
      <Field
        label={t("fields.name")}
        required
        hint={t("account.tokens.nameHint")}
        error={errors.name?.message}
      >
        {(props) => <Input {...props} autoComplete="off" {...register("name")} />}
      </Field>
      <Controller
        control={control}
        name="scope"
        render={({ field }) => (
          <RadioGroup
            legend={t("account.tokens.scope")}
            value={field.value}
            onValueChanged={field.onChange}
            options={SCOPES.map((scope) => ({
              value: scope,
              label: t(`account.tokens.scopes.${scope}.name`),
              description: t(`account.tokens.scopes.${scope}.hint`),
            }))}
          />
        )}
      />
      <Controller
        control={control}
        name="reach"
        render={({ field }) => (
          <RadioGroup
            legend={t("account.tokens.reachLegend")}
            value={field.value}
            onValueChanged={field.onChange}
            options={(["all", "some"] as const).map((value) => ({
              value,
              label: t(`account.tokens.reach.${value}.name`),
              description: t(`account.tokens.reach.${value}.hint`),
            }))}
          />
        )}
      />
      {reach === "some" ? (
        <Controller
          control={control}
          name="projects"
          render={({ field }) => (
            <TokenProjects
              chosen={field.value}
              error={errors.projects?.message}
              onChosen={field.onChange}
            />
          )}
        />
      ) : null}
      <Controller
        control={control}
        name="lifetime"
        render={({ field }) => (
          <Field required label={t("account.tokens.lifetime")}>
            {(props) => (
              <Select
                {...props}
                value={field.value}
                onValueChanged={field.onChange}
                options={LIFETIMES.map((value) => ({
                  value,
                  label:
                    value === "never"
                      ? t("account.tokens.never")
                      : t("settings.days", { count: Number(value) }),
                }))}
              />
            )}
          </Field>
        )}
      />
      {lifetime === "never" ? (
        <Alert tone="warning">{t("account.tokens.neverWarning")}</Alert>
      ) : null}
    </DialogForm>
  );
}

export function CreateTokenDialog(props: CreateTokenDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={props.open}
      onOpenChanged={props.onOpenChanged}
      closeOnOutside={false}
      title={t("account.tokens.newTitle")}
      description={t("account.tokens.hint")}
    >
      <CreateTokenForm {...props} />
    </Dialog>
  );
}
