import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/ui/page-header";

export function ExperimentsRoute() {
  const { t } = useTranslation();
  return <PageHeader title={t("experiments.title")} />;
}
