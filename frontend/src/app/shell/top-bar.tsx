import { Link } from "@tanstack/react-router";
import { ChevronRight, Menu as MenuIcon, Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StreamStatus } from "@/api/events";
import type { Project } from "@/api/types";
import { Logo } from "@/components/logo";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { Kbd } from "@/components/ui/kbd";
import { BudgetChip } from "@/features/budgets/budget-chip";
import { NotificationBell } from "@/features/notifications/notification-bell";
import { isApple } from "@/lib/shortcuts";
import { AccountMenu } from "./account-menu";
import { HelpMenu } from "./help-menu";
import { useCurrentEntry } from "./navigation";
import { ProjectSwitcher } from "./project-switcher";
import { useShellActions } from "./shell-actions";
import { SidebarNav } from "./sidebar";
import { ThemeMenu } from "./theme-menu";
import { WorkChip } from "./work-chip";

function Breadcrumb({ project }: { project: Project }) {
  const { t } = useTranslation();
  const here = useCurrentEntry(project.slug);
  return (
    <nav aria-label={t("nav.breadcrumb")} className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-sm text-ink-muted">
        <li className="max-md:hidden">
          <Link to="/projects" className="rounded-sm hover:text-ink">
            {t("projects.title")}
          </Link>
        </li>
        <li aria-hidden className="max-md:hidden">
          <ChevronRight className="size-3.5 text-ink-decor" />
        </li>
        <li className="min-w-0">
          <Link
            to="/p/$slug"
            params={{ slug: project.slug }}
            className="block max-w-64 truncate rounded-sm hover:text-ink"
            activeOptions={{ exact: true }}
          >
            {project.name}
          </Link>
        </li>
        {here === undefined ? null : (
          <>
            <li aria-hidden>
              <ChevronRight className="size-3.5 text-ink-decor" />
            </li>
            <li aria-current="page" className="font-medium text-ink">
              {t(`nav.${here.key}`)}
            </li>
          </>
        )}
      </ol>
    </nav>
  );
}

function MobileMenu({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        className="md:hidden"
        aria-label={t("nav.openMenu")}
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden />
      </Button>
      <Drawer open={open} onOpenChanged={setOpen} side="left" title={<Logo />} className="max-w-72">
        <div className="grid gap-5">
          <ProjectSwitcher project={project} />
          <SidebarNav project={project} onNavigated={() => setOpen(false)} />
        </div>
      </Drawer>
    </>
  );
}

function StreamBadge({ status }: { status: StreamStatus }) {
  const { t } = useTranslation();
  const shown = status === "reconnecting" || status === "polling";
  return (
    <span role="status">
      {shown ? <Badge tone="warning">{t(`stream.${status}`)}</Badge> : null}
    </span>
  );
}

function PaletteTrigger() {
  const { t } = useTranslation();
  const { openPalette } = useShellActions();
  return (
    <button
      type="button"
      onClick={openPalette}
      className="flex h-8 items-center gap-2 rounded-md border border-border bg-raised px-2.5 text-xs text-ink-muted transition-colors hover:border-border-strong hover:text-ink lg:w-56"
    >
      <Search aria-hidden className="size-3.5" />
      <span className="max-lg:sr-only">{t("palette.trigger")}</span>
      <span aria-hidden className="ml-auto max-lg:hidden">
        <Kbd keys={isApple ? "⌘ K" : "Ctrl K"} />
      </span>
    </button>
  );
}

export interface TopBarProps {
  project?: Project;
  stream?: StreamStatus;
}

export function TopBar({ project, stream }: TopBarProps) {
  const { t } = useTranslation();
  const start: ReactNode =
    project === undefined ? (
      <Link to="/projects" className="flex rounded-md px-1 py-0.5">
        <Logo />
        <span className="sr-only">{t("nav.allProjects")}</span>
      </Link>
    ) : (
      <>
        <MobileMenu project={project} />
        <Breadcrumb project={project} />
      </>
    );
  return (
    <header className="sticky top-0 z-30 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-bg px-4 py-1 sm:h-14 sm:flex-nowrap sm:py-0 md:px-6">
      {start}
      <div className="ml-auto flex items-center gap-1 max-sm:flex-wrap max-sm:justify-end sm:shrink-0 sm:gap-2">
        {project === undefined ? null : <WorkChip slug={project.slug} />}
        {stream === undefined ? null : <StreamBadge status={stream} />}
        {project === undefined ? null : <BudgetChip slug={project.slug} />}
        <PaletteTrigger />
        <NotificationBell />
        <HelpMenu />
        <ThemeMenu />
        <AccountMenu />
      </div>
    </header>
  );
}
