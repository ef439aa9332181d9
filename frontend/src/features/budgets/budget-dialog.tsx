import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import type { Budget, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { Field, FieldError } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RadioGroup } from "@/components/ui/radio-group";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { budgetName } from "./words";

const PERIODS = ["day", "rolling_30_days", "total"] as const;
const MOST = 1_000_000_000;
const percentError = () => i18n.t("validation.percent");

const schema = z.object({
  period: z.enum(PERIODS),
  limit_usd: z
    .string()
    .trim()
    .refine((text) => /^\d{1,10}(\.\d{1,9})?$/.test(text) && Number(text) <= MOST, {
      error: () => i18n.t("validation.budget", { max: MOST }),
    }),
  alert_percent: z
    .number({ error: percentError })
    .min(0, { error: percentError })
    .max(100, { error: percentError }),
  counts_simulated: z.boolean(),
});
type Values = z.infer<typeof schema>;

interface BudgetFormProps {
  values: Values;
  /** Periods that already have a budget; null when the period cannot be chosen. */
  taken: readonly Budget["period"][] | null;
  submitLabel: string;
  onSubmitted: (values: Values) => Promise<unknown>;
  onClosed: () => void;
}

function BudgetForm({ values, taken, submitLabel, onSubmitted, onClosed }: BudgetFormProps) {
  const { t } = useTranslation();
  const { register, control, formState, message, submit } = useServerForm<Values>({
    schema,
    fields: ["period", "limit_usd"],
    defaultValues: values,
    onSubmitted: async (entered) => {
      await onSubmitted(entered);
      onClosed();
    },
  });
  const { errors, isSubmitting } = formState;
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <FormAlert message={message} />
      {taken !== null ? (
        <Controller
          control={control}
          name="period"
          render={({ field }) => (
            <div className="grid gap-1.5">
              <RadioGroup
                legend={t("budgets.form.period")}
                value={field.value}
                onValueChanged={field.onChange}
                options={PERIODS.map((period) => ({
                  value: period,
                  label: t(`budgets.periods.${period}.long`),
                  description: taken.includes(period)
                    ? t("budgets.form.taken")
                    : t(`budgets.periods.${period}.hint`),
                  disabled: taken.includes(period),
                }))}
              />
              {errors.period?.message ? <FieldError>{errors.period.message}</FieldError> : null}
            </div>
          )}
        />
      ) : null}
      <Field
        required
        label={t("budgets.form.limit")}
        hint={t("budgets.form.limitHint")}
        error={errors.limit_usd?.message}
      >
        {(props) => (
          <Input {...props} inputMode="decimal" autoComplete="off" {...register("limit_usd")} />
        )}
      </Field>
      <Field
        required
        label={t("budgets.form.alert")}
        hint={t("budgets.form.alertHint")}
        error={errors.alert_percent?.message}
      >
        {(props) => (
          <Input
            {...props}
            type="number"
            min={0}
            max={100}
            {...register("alert_percent", { valueAsNumber: true })}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="counts_simulated"
        render={({ field }) => (
          <Switch
            label={t("budgets.form.countsSimulated")}
            description={t("budgets.form.countsSimulatedHint")}
            checked={field.value}
            onCheckedChanged={field.onChange}
          />
        )}
      />
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" loading={isSubmitting}>
          {submitLabel}
        </Button>
      </DialogFooter>
    </form>
  );
}

const shareOf = (percent: number) => Math.round(percent * 10) / 1000;

export interface CreateBudgetDialogProps {
  project: Project;
  /** Periods that already have a project budget. */
  taken: readonly Budget["period"][];
  onClosed: () => void;
}

export function CreateBudgetDialog({ project, taken, onClosed }: CreateBudgetDialogProps) {
  const { t } = useTranslation();
  const create = useChange("post", "/projects/{project}/budgets", { project: project.slug });
  const free = PERIODS.find((period) => !taken.includes(period)) ?? "day";
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      title={t("budgets.create.title")}
      description={t("budgets.create.description")}
    >
      <BudgetForm
        taken={taken}
        values={{ period: free, limit_usd: "", alert_percent: 80, counts_simulated: false }}
        submitLabel={t("budgets.create.submit")}
        onClosed={onClosed}
        onSubmitted={async ({ alert_percent, ...rest }) => {
          await create.mutateAsync({
            body: { ...rest, scope: "project", alert_threshold: shareOf(alert_percent) },
          });
          toast.success(t("budgets.create.done"));
        }}
      />
    </Dialog>
  );
}

export interface EditBudgetDialogProps {
  project: Project;
  budget: Budget;
  onClosed: () => void;
}

export function EditBudgetDialog({ project, budget, onClosed }: EditBudgetDialogProps) {
  const { t } = useTranslation();
  const change = useChange("patch", "/projects/{project}/budgets/{budget_id}", {
    project: project.slug,
    budget_id: budget.id,
  });
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      title={t("budgets.edit.title")}
      description={budgetName(budget, t)}
    >
      <BudgetForm
        taken={null}
        values={{
          period: budget.period,
          limit_usd: budget.limit_usd,
          alert_percent: Math.round(budget.alert_threshold * 1000) / 10,
          counts_simulated: budget.counts_simulated,
        }}
        submitLabel={t("ui.save")}
        onClosed={onClosed}
        onSubmitted={async ({ limit_usd, alert_percent, counts_simulated }) => {
          await change.mutateAsync({
            body: { limit_usd, alert_threshold: shareOf(alert_percent), counts_simulated },
          });
          toast.success(t("budgets.edit.done"));
        }}
      />
    </Dialog>
  );
}
