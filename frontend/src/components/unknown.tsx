import { useTranslation } from "react-i18next";

/** Placeholder for a missing figure in a dense table; never shown as zero. */
export function Unknown() {
  const { t } = useTranslation();
  return (
    <span className="text-ink-subtle" title={t("ui.unknown")}>
      <span aria-hidden>—</span>
      <span className="sr-only">{t("ui.unknown")}</span>
    </span>
  );
}
