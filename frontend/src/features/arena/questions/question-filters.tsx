import { useTranslation } from "react-i18next";
import type { QuestionReport } from "@/api/arena";
import { FilterSelect } from "@/components/listing/filter-bar";
import { Segmented } from "@/components/ui/segmented";
import { Switch } from "@/components/ui/switch";
import { generatorName } from "./generator-name";
import { QUESTION_ORDERS, type QuestionView } from "./queries";

export interface QuestionFiltersProps {
  report: QuestionReport;
  view: QuestionView;
  onViewChanged: (view: QuestionView) => void;
}

/** Order and filters of the judged questions. */
export function QuestionFilters({ report, view, onViewChanged }: QuestionFiltersProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Segmented
        label={t("questions.order")}
        value={view.order ?? "weakest"}
        options={QUESTION_ORDERS.map((value) => ({ value, label: t(`questions.orders.${value}`) }))}
        onValueChanged={(order) => onViewChanged({ ...view, order })}
      />
      <Switch
        label={t("questions.onlyWeak")}
        checked={view.weak === "yes"}
        onCheckedChanged={(checked) =>
          onViewChanged({ ...view, weak: checked ? "yes" : undefined })
        }
      />
      {report.generators.length < 2 ? null : (
        <div className="w-56">
          <FilterSelect
            label={t("questions.generator")}
            anything={t("questions.anyGenerator")}
            value={view.generator}
            options={report.generators.map(({ key }) => ({
              value: key,
              label: generatorName(report.generators, key, t),
            }))}
            onChosen={(generator) => onViewChanged({ ...view, generator })}
          />
        </div>
      )}
    </div>
  );
}
