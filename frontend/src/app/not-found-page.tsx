import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api/session";
import { Logo } from "@/components/logo";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useDocumentTitle } from "@/lib/hooks";

export function NotFoundMessage() {
  const { t } = useTranslation();
  useDocumentTitle(t("notFound.title"));
  return (
    <EmptyState
      isPage
      icon={<Compass />}
      title={t("notFound.title")}
      description={t("notFound.body")}
      action={
        <Button asChild>
          <Link to="/projects">{t("notFound.action")}</Link>
        </Button>
      }
    />
  );
}

/**
 * Shown for a missing project and for one without access alike, so that existence is not revealed.
 */
export function ProjectNotFound() {
  const { t } = useTranslation();
  const { email } = useUser();
  useDocumentTitle(t("notFound.project.title"));
  return (
    <EmptyState
      isPage
      icon={<Compass />}
      title={t("notFound.project.title")}
      description={t("notFound.project.body", { email })}
      action={
        <Button asChild>
          <Link to="/projects">{t("notFound.action")}</Link>
        </Button>
      }
    />
  );
}

export function NotFoundPage() {
  return (
    <main
      id="main-content"
      className="flex min-h-dvh flex-col items-center justify-center gap-8 bg-surface p-6"
    >
      <Logo />
      <div className="w-full max-w-lg rounded-xl bg-raised">
        <NotFoundMessage />
      </div>
    </main>
  );
}
