import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";

/** One suggestion, and what is decided about it. */
export function ReviewPage({ project }: { project: Project; suggestionId: string }) {
  const { t } = useTranslation();
  useDocumentTitle(t("reviews.title"), project.name);
  return <PageHeader title={t("reviews.title")} description={t("reviews.description")} />;
}
