import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { keys } from "@/api/keys";
import { useServerForm } from "@/api/server-form";
import type { LedgerEntry, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { formatCost } from "@/lib/format";
import { i18n } from "@/lib/i18n";

const HOW = ["settle", "void"] as const;
const NOTE = { min: 10, max: 500 };
const AMOUNT = /^\d{1,10}(\.\d{1,9})?$/;

const schema = z
  .object({
    how: z.enum(HOW),
    amount_usd: z.string().trim(),
    is_above_reservation_confirmed: z.boolean(),
    note: z
      .string()
      .trim()
      .min(NOTE.min, { error: () => i18n.t("budgets.ledger.resolve.noteLength", NOTE) })
      .max(NOTE.max, { error: () => i18n.t("budgets.ledger.resolve.noteLength", NOTE) }),
  })
  .refine(({ how, amount_usd }) => how === "void" || AMOUNT.test(amount_usd), {
    path: ["amount_usd"],
    error: () => i18n.t("budgets.ledger.resolve.amountError"),
  });
type Values = z.infer<typeof schema>;

export interface ResolveChargeDialogProps {
  project: Project;
  entry: LedgerEntry;
  onClosed: () => void;
}

function useResolveForm({ project, entry, onClosed }: ResolveChargeDialogProps) {
  const { t } = useTranslation();
  const at = { project: project.slug, entry_id: entry.id };
  const { slug } = project;
  const families = { refresh: [keys.budgets(slug), keys.runs(slug), keys.audit(slug)] };
  const settle = useChange("post", "/projects/{project}/ledger/{entry_id}/settle", at, families);
  const release = useChange("post", "/projects/{project}/ledger/{entry_id}/void", at, families);
  return useServerForm<Values>({
    schema,
    fields: ["amount_usd", "note"],
    defaultValues: {
      how: "settle",
      amount_usd: "",
      is_above_reservation_confirmed: false,
      note: "",
    },
    onSubmitted: async ({ how, note, ...amount }) => {
      await (how === "void"
        ? release.mutateAsync({ body: { note } })
        : settle.mutateAsync({ body: { note, ...amount } }));
      toast.success(t(`budgets.ledger.resolve.done.${how}`));
      onClosed();
    },
  });
}

function ResolveForm(props: ResolveChargeDialogProps) {
  const { entry, onClosed } = props;
  const { t } = useTranslation();
  const { register, control, watch, formState, message, submit } = useResolveForm(props);
  const { errors, isSubmitting } = formState;
  const [how, amount] = watch(["how", "amount_usd"]);
  const reserved = entry.reserved_usd;
  const above = AMOUNT.test(amount) && reserved !== null && Number(amount) > Number(reserved);
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      <Controller
        control={control}
        name="how"
        render={({ field }) => (
          <RadioGroup
            legend={t("budgets.ledger.resolve.how")}
            value={field.value}
            onValueChanged={field.onChange}
            options={HOW.map((value) => ({
              value,
              label: t(`budgets.ledger.resolve.${value}`),
              description: t(`budgets.ledger.resolve.${value}Hint`),
            }))}
          />
        )}
      />
      {how === "void" ? null : (
        <Field
          required
          label={t("budgets.ledger.resolve.amount")}
          hint={
            reserved === null
              ? undefined
              : t("budgets.ledger.resolve.amountHint", { amount: formatCost(reserved) })
          }
          error={errors.amount_usd?.message}
        >
          {(field) => (
            <Input {...field} inputMode="decimal" autoComplete="off" {...register("amount_usd")} />
          )}
        </Field>
      )}
      {how === "settle" && above ? (
        <Controller
          control={control}
          name="is_above_reservation_confirmed"
          render={({ field }) => (
            <Checkbox
              label={t("budgets.ledger.resolve.above")}
              description={t("budgets.ledger.resolve.aboveHint")}
              checked={field.value}
              onCheckedChanged={field.onChange}
            />
          )}
        />
      ) : null}
      <Field
        required
        label={t("budgets.ledger.resolve.note")}
        hint={t("budgets.ledger.resolve.noteHint", NOTE)}
        error={errors.note?.message}
      >
        {(field) => <Textarea {...field} maxLength={NOTE.max} {...register("note")} />}
      </Field>
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" loading={isSubmitting}>
          {t(`budgets.ledger.resolve.submit.${how}`)}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Lets an administrator enter the real cost of an unconfirmed call. */
export function ResolveChargeDialog(props: ResolveChargeDialogProps) {
  const { t } = useTranslation();
  const { entry, onClosed } = props;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      title={t("budgets.ledger.resolve.title")}
      description={t("budgets.ledger.resolve.description", {
        model: entry.model,
        amount: entry.cost_usd === null ? t("budgets.ledger.noPrice") : formatCost(entry.cost_usd),
      })}
    >
      <ResolveForm {...props} />
    </Dialog>
  );
}
