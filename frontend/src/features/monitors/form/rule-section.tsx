import { useTranslation } from "react-i18next";
import type { DropKind, MonitorEstimate, MonitorRules } from "@/api/types";
import { NumberField } from "@/components/number-field";
import { Disclosure } from "@/components/ui/disclosure";
import { RadioGroup } from "@/components/ui/radio-group";
import { Switch } from "@/components/ui/switch";
import { formatNumber } from "@/lib/format";
import type { SectionProps } from "./form-props";
import { FormSection } from "@/components/form-section";

const DROP_KINDS = ["two_stage", "one_stage", "plain", "off"] as const satisfies DropKind[];

export interface RuleSectionProps extends SectionProps {
  /** How often each rule would alert without a change; undefined until known. */
  falseAlarms: MonitorEstimate["false_alarms"] | undefined;
}

/** Rounded for reading: 92, 3.5, 0.18. */
function timesAYear(value: number): string {
  return formatNumber(Number(value.toPrecision(2)));
}

function DropFields({ draft, onDraftChanged, errors, falseAlarms }: RuleSectionProps) {
  const { t } = useTranslation();
  const { rules } = draft;
  const { drop } = rules;
  const describe = (kind: DropKind) => {
    const body = t(`monitors.rules.kinds.${kind}.body`);
    return kind === "off" || falseAlarms === undefined
      ? body
      : `${body} ${t(kind === "plain" ? "monitors.rules.criesWolf" : "monitors.rules.atMost", {
          times: timesAYear(falseAlarms[kind]),
        })}`;
  };
  return (
    <>
      <RadioGroup
        legend={t("monitors.rules.drop")}
        value={drop.kind}
        options={DROP_KINDS.map((kind) => ({
          value: kind,
          label: t(`monitors.rules.kinds.${kind}.title`),
          description: describe(kind),
        }))}
        onValueChanged={(kind) => onDraftChanged({ rules: { ...rules, drop: { ...drop, kind } } })}
      />
      {falseAlarms === undefined ? null : (
        <p className="text-xs text-ink-muted">{falseAlarms.basis}</p>
      )}
      {drop.kind === "off" ? null : (
        <div className="grid items-start gap-5 sm:grid-cols-2">
          {(["threshold", "recovery"] as const).map((name) => (
            <NumberField
              key={name}
              label={t(`monitors.rules.${name}`)}
              hint={t(`monitors.rules.${name}Hint`)}
              unit="%"
              scale={100}
              least={0.1}
              most={99}
              value={drop[name]}
              error={errors[`rules.drop.${name}`]}
              onValueChanged={(value) =>
                onDraftChanged({ rules: { ...rules, drop: { ...drop, [name]: value } } })
              }
            />
          ))}
        </div>
      )}
    </>
  );
}

interface NumberRule {
  key: "predicted" | "errors" | "latency" | "cost";
  isOn: boolean;
  value: number;
  /** Field in the server's errors. */
  field: string;
  least: number;
  most: number;
  scale?: number;
  unit: string;
  set: (value: number) => Partial<MonitorRules>;
  toggle: (isOn: boolean) => Partial<MonitorRules>;
}

function numberRules({ predicted, errors, latency, cost }: MonitorRules): NumberRule[] {
  const ratio = (key: "latency" | "cost", rule: MonitorRules["cost"]): NumberRule => ({
    key,
    isOn: rule.is_on,
    value: rule.max_ratio,
    field: `rules.${key}.max_ratio`,
    least: 1.01,
    most: 100,
    unit: "×",
    set: (value) => ({ [key]: { ...rule, max_ratio: value } }),
    toggle: (isOn) => ({ [key]: { ...rule, is_on: isOn } }),
  });
  return [
    {
      key: "predicted",
      isOn: predicted.is_on,
      value: predicted.threshold,
      field: "rules.predicted.threshold",
      least: 0.1,
      most: 10,
      scale: 10,
      unit: "/10",
      set: (value) => ({ predicted: { ...predicted, threshold: value } }),
      toggle: (isOn) => ({ predicted: { ...predicted, is_on: isOn } }),
    },
    {
      key: "errors",
      isOn: errors.is_on,
      value: errors.max_share,
      field: "rules.errors.max_share",
      least: 0,
      most: 99,
      scale: 100,
      unit: "%",
      set: (value) => ({ errors: { ...errors, max_share: value } }),
      toggle: (isOn) => ({ errors: { ...errors, is_on: isOn } }),
    },
    ratio("latency", latency),
    ratio("cost", cost),
  ];
}

function OtherRules({ draft, onDraftChanged, errors }: SectionProps) {
  const { t } = useTranslation();
  const { rules } = draft;
  const change = (part: Partial<MonitorRules>) => onDraftChanged({ rules: { ...rules, ...part } });
  const numbers = numberRules(rules);
  const hasError = numbers.some(({ field }) => errors[field] !== undefined);
  return (
    <Disclosure label={t("monitors.rules.others")} forcedOpen={hasError}>
      <div className="grid gap-5">
        {numbers.map(({ key, isOn, set, toggle, field, ...limits }) => (
          <div key={key} className="grid gap-3">
            <Switch
              label={t(`monitors.rules.${key}.title`)}
              description={t(`monitors.rules.${key}.body`)}
              checked={isOn}
              onCheckedChanged={(checked) => change(toggle(checked))}
            />
            {isOn ? (
              <NumberField
                {...limits}
                label={t(`monitors.rules.${key}.value`)}
                error={errors[field]}
                onValueChanged={(value: number) => change(set(value))}
              />
            ) : null}
          </div>
        ))}
        <Switch
          label={t("monitors.rules.budget.title")}
          description={t("monitors.rules.budget.body")}
          checked={rules.budget}
          onCheckedChanged={(budget) => change({ budget })}
        />
        <Switch
          label={t("monitors.rules.notRunning.title")}
          description={t("monitors.rules.notRunning.body")}
          checked={rules.not_running}
          onCheckedChanged={(notRunning) => change({ not_running: notRunning })}
        />
      </div>
    </Disclosure>
  );
}

/** Baseline and alert rules. */
export function RuleSection(props: RuleSectionProps) {
  const { t } = useTranslation();
  return (
    <FormSection title={t("monitors.form.rules")} description={t("monitors.form.rulesHint")}>
      <DropFields {...props} />
      <OtherRules {...props} />
    </FormSection>
  );
}
