import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Logo } from "@/components/logo";
import { ProblemState } from "@/components/problem-state";
import { useDocumentTitle } from "@/lib/hooks";

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  useDocumentTitle(t("problem.title.failed"));
  return (
    <main
      id="main-content"
      className="flex min-h-dvh flex-col items-center justify-center gap-8 bg-surface p-6"
    >
      <Logo />
      <div className="w-full max-w-lg rounded-xl bg-raised">
        <ProblemState
          isPage
          error={error}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      </div>
    </main>
  );
}
