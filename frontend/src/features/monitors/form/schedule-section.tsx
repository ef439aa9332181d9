import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadError } from "@/components/load-error";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/lib/hooks";
import { NextTimes } from "../next-times";
import { scheduleQuery } from "../queries";
import type { SectionProps } from "./form-props";
import { FormSection } from "@/components/form-section";

const OWN = "own";
const REST_MILLISECONDS = 300;

/** Cron with presets, its meaning in words, and the next times. */
export function ScheduleSection({ slug, draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  const settled = useDebounced(draft.cron, REST_MILLISECONDS);
  const schedule = useQuery(scheduleQuery(slug, settled));
  const presets = schedule.data?.presets ?? [];
  const isCurrent = settled === draft.cron && !schedule.isPlaceholderData;
  const problem = isCurrent ? schedule.data?.problem : null;
  return (
    <FormSection title={t("monitors.form.schedule")} description={t("monitors.form.scheduleHint")}>
      <LoadError queries={[schedule]} />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field required label={t("monitors.form.preset")}>
          {(control) => (
            <Select
              {...control}
              value={presets.find(({ cron }) => cron === draft.cron.trim())?.key ?? OWN}
              options={[
                ...presets.map(({ key, name }) => ({ value: key, label: name })),
                { value: OWN, label: t("monitors.form.ownSchedule") },
              ]}
              onValueChanged={(chosen) => {
                const preset = presets.find(({ key }) => key === chosen);
                onDraftChanged({ cron: preset?.cron ?? draft.cron });
              }}
            />
          )}
        </Field>
        <Field
          required
          label={t("monitors.form.cron")}
          hint={t("monitors.form.cronHint")}
          error={errors.cron ?? problem ?? undefined}
        >
          {(control) => (
            <Input
              {...control}
              spellCheck={false}
              autoComplete="off"
              className="font-mono"
              maxLength={100}
              value={draft.cron}
              onChange={(event) => onDraftChanged({ cron: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div aria-live="polite" className="grid gap-3">
        {schedule.data?.words == null || problem != null ? null : (
          <p className="text-sm font-medium">
            {t("monitors.schedule.words", { words: schedule.data.words })}
          </p>
        )}
        {schedule.data === undefined || schedule.data.next_times.length === 0 ? null : (
          <NextTimes times={schedule.data.next_times} />
        )}
      </div>
    </FormSection>
  );
}
