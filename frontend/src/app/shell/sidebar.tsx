import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { Logo, LogoMark } from "@/components/logo";
import { Kbd } from "@/components/ui/kbd";
import { Tooltip } from "@/components/ui/tooltip";
import { OpenAlertCount } from "@/features/alerts/open-alert-count";
import { WaitingCount } from "@/features/reviews/waiting-count";
import { cn } from "@/lib/cn";
import { can, type Role } from "@/lib/permissions";
import { useNavigation, type NavigationEntry } from "./navigation";
import { ProjectSwitcher } from "./project-switcher";

interface EntryLinkProps {
  entry: NavigationEntry;
  slug: string;
  rail: boolean;
  role: Role;
  onNavigated?: (() => void) | undefined;
}

function EntryLink({ entry, slug, rail, role, onNavigated }: EntryLinkProps) {
  const { t } = useTranslation();
  const label = t(`nav.${entry.key}`);
  const Icon = entry.icon;
  const link = (
    <Link
      to={entry.to}
      params={{ slug }}
      activeOptions={{ exact: entry.to === "/p/$slug" }}
      {...(onNavigated === undefined ? {} : { onClick: onNavigated })}
      className={cn(
        "relative flex h-9 items-center gap-2.5 rounded-md text-sm text-ink-muted transition-colors hover:bg-surface-hover hover:text-ink",
        "aria-[current=page]:bg-surface-hover aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:[&>svg]:text-accent-ink",
        rail ? "w-9 justify-center" : "px-2.5",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={rail ? "sr-only" : undefined}>{label}</span>
      {entry.key === "reviews" && can(role, "reviews.decide") ? (
        <WaitingCount slug={slug} rail={rail} />
      ) : null}
      {entry.key === "monitors" ? <OpenAlertCount slug={slug} rail={rail} /> : null}
    </Link>
  );
  return rail ? (
    <Tooltip
      side="right"
      content={
        <>
          {label} <Kbd keys={entry.shortcut} />
        </>
      }
    >
      {link}
    </Tooltip>
  ) : (
    link
  );
}

export interface SidebarNavProps {
  project: Project;
  rail?: boolean;
  onNavigated?: () => void;
}

export function SidebarNav({ project, rail = false, onNavigated }: SidebarNavProps) {
  const { t } = useTranslation();
  const groups = useNavigation(project.role);
  return (
    <nav aria-label={t("nav.label")} className="grid gap-5">
      {groups.map((group) => (
        <div key={group.key} className="grid gap-0.5">
          {group.key === "project" ? null : (
            <p
              className={cn(
                "pb-1 text-xs font-medium text-ink-subtle",
                rail ? "sr-only" : "px-2.5",
              )}
            >
              {t(`nav.groups.${group.key}`)}
            </p>
          )}
          {group.entries.map((entry) => (
            <EntryLink
              key={entry.key}
              entry={entry}
              slug={project.slug}
              rail={rail}
              role={project.role}
              onNavigated={onNavigated}
            />
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Full width from lg, icons only on tablets; below md the drawer of the top bar replaces it. */
export function Sidebar({ project }: { project: Project }) {
  const { t } = useTranslation();
  return (
    <>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-5 overflow-y-auto border-r border-border bg-surface px-3 py-4 lg:flex">
        <Link to="/projects" className="mx-1 shrink-0 self-start rounded-md px-1 py-0.5">
          <Logo />
          <span className="sr-only">{t("nav.allProjects")}</span>
        </Link>
        <ProjectSwitcher project={project} />
        <SidebarNav project={project} />
      </aside>
      <aside className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col items-center gap-5 overflow-y-auto border-r border-border bg-surface py-4 md:flex lg:hidden">
        <Tooltip side="right" content={t("nav.allProjects")}>
          <Link to="/projects" aria-label={t("nav.allProjects")} className="rounded-md">
            <LogoMark />
          </Link>
        </Tooltip>
        <ProjectSwitcher project={project} rail />
        <SidebarNav project={project} rail />
      </aside>
    </>
  );
}
