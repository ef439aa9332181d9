import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { Dialog, DialogFooter } from "@/components/ui/dialog";
import { RadioGroup } from "@/components/ui/radio-group";
import { formatUsd } from "@/lib/format";
import {
  conflictingFields,
  mergeValues,
  toValues,
  type CurrentSettings,
  type SettingsChoice,
  type SettingsField,
  type SettingsValues,
} from "./settings-values";

export interface ConflictDialogProps {
  mine: SettingsValues;
  current: CurrentSettings;
  saving: boolean;
  onResolved: (values: SettingsValues, version: number) => void;
  onClosed: () => void;
}

function useDisplay() {
  const { t } = useTranslation();
  return (field: SettingsField, values: SettingsValues): string => {
    switch (field) {
      case "default_budget_usd":
        return formatUsd(values.default_budget_usd);
      case "cost_alert_percent":
        return `${values.cost_alert_percent} %`;
      case "archive_days":
        return t("settings.days", { count: values.archive_days });
      case "retention_days":
        return values.retention_days === 0
          ? t("settings.keepForever")
          : t("settings.days", { count: values.retention_days });
      case "allow_synthetic_datasets":
      case "require_review_approval":
        return values[field] ? t("settings.on") : t("settings.off");
      case "default_max_iterations":
        return String(values.default_max_iterations);
    }
  };
}

/** Shows both values of every field changed by two users; the user picks one. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { mine, current, saving, onResolved, onClosed } = props;
  const { t } = useTranslation();
  const display = useDisplay();
  const [choices, setChoices] = useState<Partial<Record<SettingsField, SettingsChoice>>>({});
  const theirs = toValues(current);
  const fields = conflictingFields(mine, theirs);
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("settings.conflict.title")}
      description={t("settings.conflict.body")}
    >
      <div className="grid gap-5">
        {fields.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("settings.conflict.same")}</p>
        ) : null}
        {fields.map((field) => (
          <RadioGroup<SettingsChoice>
            key={field}
            legend={t(`settings.fields.${field}.label`)}
            value={choices[field] ?? "mine"}
            onValueChanged={(choice) => setChoices({ ...choices, [field]: choice })}
            className="[&_[role=radiogroup]]:grid-cols-2"
            options={[
              {
                value: "mine",
                label: display(field, mine),
                description: t("settings.conflict.mine"),
              },
              {
                value: "theirs",
                label: display(field, theirs),
                description: t("settings.conflict.theirs"),
              },
            ]}
          />
        ))}
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={onClosed}>
          {t("settings.conflict.keepEditing")}
        </Button>
        <Button
          loading={saving}
          onClick={() => onResolved(mergeValues(mine, theirs, choices), current.version)}
        >
          {t("settings.conflict.save")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
