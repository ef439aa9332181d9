import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StreamStatus } from "@/api/events";
import { useUser } from "@/api/session";
import type { Project } from "@/api/types";
import { EmailBanner } from "@/features/account/email-notice";
import { TourOffer } from "@/features/tour/tour-offer";
import { cn } from "@/lib/cn";
import { GuideContext } from "@/lib/guides";
import { useFillsWindow } from "../fills-window";
import { ConnectionBanner } from "./connection-banner";
import { useCurrentEntry } from "./navigation";
import { useShellActions } from "./shell-actions";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";

export interface PageShellProps {
  children: ReactNode;
  project?: Project;
  stream?: StreamStatus;
}

export function PageShell({ children, project, stream }: PageShellProps) {
  const { t } = useTranslation();
  const user = useUser();
  const { startTour } = useShellActions();
  const fillsWindow = useFillsWindow();
  const guide = useCurrentEntry(project?.slug ?? "")?.guide ?? null;
  return (
    <GuideContext value={guide}>
      <div className={cn("flex", fillsWindow ? "h-dvh" : "min-h-dvh")}>
        <a
          href="#main-content"
          className="sr-only z-50 rounded-md bg-ink px-4 py-2 text-sm font-medium text-bg focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
        >
          {t("nav.skip")}
        </a>
        {project === undefined ? null : <Sidebar project={project} />}
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar
            {...(project === undefined ? {} : { project })}
            {...(stream === undefined ? {} : { stream })}
          />
          <ConnectionBanner />
          <EmailBanner user={user} />
          {project?.is_demo === true ? <TourOffer onStarted={startTour} /> : null}
          <main
            id="main-content"
            tabIndex={-1}
            className={cn(
              "w-full flex-1 focus:outline-none",
              fillsWindow
                ? "flex min-h-0 flex-col overflow-y-auto"
                : ["mx-auto px-4 py-8 md:px-8", project === undefined ? "max-w-6xl" : "max-w-7xl"],
            )}
          >
            {children}
          </main>
        </div>
      </div>
    </GuideContext>
  );
}
