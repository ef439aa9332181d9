import { Controller, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { DestinationChannel, NotificationKind } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { i18n } from "@/lib/i18n";
import { KindChoice } from "./kind-choice";
import type { DestinationValues } from "./queries";

const schemaOf = (isNew: boolean) =>
  z.object({
    channel: z.string(),
    name: z
      .string()
      .trim()
      .min(1, { error: () => i18n.t("validation.nameRequired") })
      .max(100, { error: () => i18n.t("validation.nameTooLong", { limit: 100 }) }),
    address: z
      .string()
      .trim()
      .refine((text) => !isNew || text !== "", {
        error: () => i18n.t("destinations.form.addressRequired"),
      }),
    kinds: z.array(z.string()).min(1, { error: () => i18n.t("destinations.form.chooseKind") }),
    includes_content: z.boolean(),
  });

export interface DestinationFormProps {
  values: DestinationValues;
  /** Channels to choose from; null when the channel cannot be changed. */
  channels: readonly DestinationChannel[] | null;
  kinds: readonly NotificationKind[];
  /** Host or email address now in use. */
  target?: string;
  submitLabel: string;
  onSubmitted: (values: DestinationValues) => Promise<unknown>;
  onCancelled: () => void;
}

const ADDRESS_KEYS = {
  email: "destinations.form.address.email",
  slack: "destinations.form.address.slack",
} as const;

export function DestinationForm(props: DestinationFormProps) {
  const { values, channels, kinds, target, submitLabel, onSubmitted, onCancelled } = props;
  const { t } = useTranslation();
  const { register, control, formState, message, submit } = useServerForm<DestinationValues>({
    schema: schemaOf(channels !== null),
    fields: ["name", "address", "kinds"],
    defaultValues: values,
    onSubmitted,
  });
  const { errors, isSubmitting } = formState;
  const channel = useWatch({ control, name: "channel" });
  const addressLabel =
    channel === "email" || channel === "slack"
      ? t(ADDRESS_KEYS[channel])
      : t("destinations.form.address.webhook");
  return (
    <DialogForm
      message={message}
      submitLabel={submitLabel}
      isSaving={isSubmitting}
      onSubmitted={() => void submit()}
      onCancelled={onCancelled}
    >
      {channels === null ? null : (
        <Controller
          control={control}
          name="channel"
          render={({ field }) => (
            <div className="grid justify-items-start gap-1.5">
              <span aria-hidden className="text-sm font-medium">
                {t("destinations.form.channel")}
              </span>
              <Segmented
                label={t("destinations.form.channel")}
                value={field.value}
                options={channels.map(({ key, title }) => ({ value: key, label: title }))}
                onValueChanged={field.onChange}
              />
            </div>
          )}
        />
      )}
      <Field required label={t("fields.name")} error={errors.name?.message}>
        {(control_) => <Input {...control_} autoComplete="off" {...register("name")} />}
      </Field>
      <Field
        required={channels !== null}
        label={addressLabel}
        hint={
          target === undefined
            ? t("destinations.form.addressHint")
            : t("destinations.form.addressKept", { target })
        }
        error={errors.address?.message}
      >
        {(control_) => (
          <Input
            {...control_}
            type={channel === "email" ? "email" : "url"}
            autoComplete="off"
            spellCheck={false}
            {...register("address")}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="kinds"
        render={({ field }) => (
          <KindChoice
            kinds={kinds}
            chosen={field.value}
            error={errors.kinds?.message}
            onChosen={field.onChange}
          />
        )}
      />
      <Controller
        control={control}
        name="includes_content"
        render={({ field }) => (
          <Checkbox
            label={t("destinations.form.content")}
            description={t("destinations.form.contentHint")}
            checked={field.value}
            onCheckedChanged={field.onChange}
          />
        )}
      />
    </DialogForm>
  );
}
