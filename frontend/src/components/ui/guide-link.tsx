import { useTranslation } from "react-i18next";
import { guideAddress, type Guide } from "@/lib/guides";

/** Link to a page of the documentation, in a new tab. */
export function GuideLink({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  return (
    <a
      href={guideAddress(guide)}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm text-sm whitespace-nowrap text-accent-ink underline underline-offset-2"
    >
      {t("ui.learnMore")}
    </a>
  );
}
