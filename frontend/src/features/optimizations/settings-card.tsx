import { useTranslation } from "react-i18next";
import type { Optimization } from "@/api/types";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { useSettingRows } from "./setting-rows";

/** What the optimization was created with; fixed from then on. */
export function SettingsCard(props: { slug: string; optimization: Optimization }) {
  const { t } = useTranslation();
  const rows = useSettingRows(props.slug)(props.optimization);
  return (
    <Card aria-label={t("optimizations.settings.title")}>
      <CardHeader
        title={t("optimizations.settings.title")}
        description={t("optimizations.settings.hint")}
      />
      <CardContent>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2.5 text-sm">
          {rows.map(({ key, label, values }) => (
            <div key={key} className="contents">
              <dt className="text-ink-muted">{label}</dt>
              <dd className="grid min-w-0 gap-0.5 wrap-anywhere">
                {values.map((value, index) => (
                  <span key={index}>{value}</span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </CardContent>
    </Card>
  );
}
