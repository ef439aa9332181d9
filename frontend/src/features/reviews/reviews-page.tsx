import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";

/** What waits for somebody's decision, in all experiments. */
export function ReviewsPage({ project }: { project: Project }) {
  const { t } = useTranslation();
  useDocumentTitle(t("reviews.title"), project.name);
  return <PageHeader title={t("reviews.title")} description={t("reviews.description")} />;
}
