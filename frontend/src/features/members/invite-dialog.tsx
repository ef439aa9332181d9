import { Controller, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { InvitationResult, Project } from "@/api/types";
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
import { Textarea } from "@/components/ui/textarea";
import { i18n } from "@/lib/i18n";
import { INVITABLE_ROLES } from "@/lib/permissions";
import { memberFamilies } from "./queries";

const schema = z
  .object({
    way: z.enum(["email", "link"]),
    email: z.string().trim(),
    role: z.enum(INVITABLE_ROLES),
    message: z.string().trim().max(1000),
  })
  .refine((values) => values.way === "link" || z.email().safeParse(values.email).success, {
    path: ["email"],
    error: () => i18n.t("validation.email"),
  });
type Values = z.infer<typeof schema>;

export interface InviteDialogProps {
  project: Project;
  open: boolean;
  onOpenChanged: (open: boolean) => void;
}

function InvitationSent({ result, onDone }: { result: InvitationResult; onDone: () => void }) {
  const { t } = useTranslation();
  const email = result.member?.email ?? result.invitation?.email ?? "";
  const text =
    result.status === "added"
      ? t("members.invite.added", { email })
      : result.emailed
        ? t("members.invite.emailed", { email })
        : t("members.invite.linkReady");
  return (
    <div className="grid gap-5">
      <Alert tone="success">{text}</Alert>
      {result.link ? (
        <CopyField
          label={t("members.invite.link")}
          hint={t("members.invite.linkHint")}
          text={result.link}
          copyLabel={t("members.invite.copy")}
        />
      ) : null}
      <DialogFooter>
        <Button onClick={onDone}>{t("ui.done")}</Button>
      </DialogFooter>
    </div>
  );
}

function InviteForm({ project, onOpenChanged }: InviteDialogProps) {
  const { t } = useTranslation();
  const invite = useChange(
    "post",
    "/projects/{project}/invitations",
    { project: project.slug },
    memberFamilies(project.slug),
  );
  const { register, control, formState, message, submit } = useServerForm<Values>({
    schema,
    fields: ["email", "role", "message"],
    defaultValues: { way: "email", email: "", role: "EDITOR", message: "" },
    onSubmitted: (values) =>
      invite.mutateAsync({
        body: {
          email: values.way === "email" ? values.email : null,
          role: values.role,
          message: values.way === "email" && values.message !== "" ? values.message : null,
        },
      }),
  });
  const { errors } = formState;
  const way = useWatch({ control, name: "way" });
  if (invite.isSuccess) {
    return <InvitationSent result={invite.data} onDone={() => onOpenChanged(false)} />;
  }
  return (
    <DialogForm
      message={message}
      submitLabel={way === "email" ? t("members.invite.send") : t("members.invite.createLink")}
      isSaving={invite.isPending}
      onSubmitted={() => void submit()}
      onCancelled={() => onOpenChanged(false)}
    >
      <Controller
        control={control}
        name="way"
        render={({ field }) => (
          <RadioGroup
            hideLegend
            legend={t("members.invite.way")}
            value={field.value}
            onValueChanged={field.onChange}
            className="[&_[role=radiogroup]]:sm:grid-cols-2"
            options={[
              {
                value: "email",
                label: t("members.invite.byEmail"),
                description: t("members.invite.byEmailHint"),
              },
              {
                value: "link",
                label: t("members.invite.byLink"),
                description: t("members.invite.byLinkHint"),
              },
            ]}
          />
        )}
      />
      {way === "email" ? (
        <Field label={t("fields.email")} required error={errors.email?.message}>
          {(props) => <Input {...props} type="email" autoComplete="off" {...register("email")} />}
        </Field>
      ) : null}
      <Controller
        control={control}
        name="role"
        render={({ field }) => (
          <Field label={t("fields.role")} required error={errors.role?.message}>
            {(props) => (
              <Select
                {...props}
                value={field.value}
                onValueChanged={field.onChange}
                options={INVITABLE_ROLES.map((role) => ({
                  value: role,
                  label: t(`roles.${role}.name`),
                  description: t(`roles.${role}.hint`),
                }))}
              />
            )}
          </Field>
        )}
      />
      {way === "email" ? (
        <Field label={t("members.invite.message")} error={errors.message?.message}>
          {(props) => <Textarea {...props} rows={2} {...register("message")} />}
        </Field>
      ) : null}
    </DialogForm>
  );
}

export function InviteDialog(props: InviteDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={props.open}
      onOpenChanged={props.onOpenChanged}
      closeOnOutside={false}
      title={t("members.invite.title", { name: props.project.name })}
      description={t("members.invite.description")}
    >
      <InviteForm {...props} />
    </Dialog>
  );
}
