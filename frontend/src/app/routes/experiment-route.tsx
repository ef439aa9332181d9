import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/ui/page-header";

export function ExperimentRoute() {
  const { t } = useTranslation();
  return <PageHeader title={t("experiments.title")} />;
}
