import { Link } from "@tanstack/react-router";
import { ChevronRight, PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { Logo, LogoMark } from "@/components/logo";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Tooltip } from "@/components/ui/tooltip";
import { OpenAlertCount } from "@/features/alerts/open-alert-count";
import { WaitingCount } from "@/features/reviews/waiting-count";
import { cn } from "@/lib/cn";
import { can, type Role } from "@/lib/permissions";
import { modKey, useShortcuts } from "@/lib/shortcuts";
import { useNavigation, type NavigationEntry, type NavigationGroup } from "./navigation";
import { ProjectSwitcher } from "./project-switcher";
import { toggleSidebar, useGroup, useSidebarWidth } from "./sidebar-state";

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

type GroupProps = SidebarNavProps & { group: NavigationGroup };

function Group({ project, group, rail = false, onNavigated }: GroupProps) {
  const { t } = useTranslation();
  const id = useId();
  const { isOpen, isCurrent, toggle } = useGroup(project, group.key);
  const isHeadless = rail || group.key === "project";
  return (
    <div className="grid gap-0.5">
      {isHeadless ? null : (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-disabled={isCurrent || undefined}
          onClick={isCurrent ? undefined : toggle}
          className="group flex h-7 items-center gap-1 rounded-md px-2.5 text-left text-xs font-medium text-ink-subtle not-aria-disabled:hover:text-ink"
        >
          {t(`nav.groups.${group.key}`)}
          <ChevronRight
            aria-hidden
            className="size-3.5 text-ink-decor transition-transform group-aria-disabled:hidden group-aria-expanded:rotate-90"
          />
        </button>
      )}
      <div id={id} hidden={!isHeadless && !isOpen} className="grid gap-0.5 [&[hidden]]:hidden">
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
    </div>
  );
}

export function SidebarNav(props: SidebarNavProps) {
  const { t } = useTranslation();
  const groups = useNavigation(props.project.role);
  return (
    <nav aria-label={t("nav.label")} className="grid gap-4">
      {groups.map((group) => (
        <Group key={group.key} {...props} group={group} />
      ))}
    </nav>
  );
}

function FoldButton({ isFolded }: { isFolded: boolean }) {
  const { t } = useTranslation();
  const label = t(isFolded ? "nav.unfold" : "nav.fold");
  return (
    <Tooltip
      side="right"
      content={
        <>
          {label} <Kbd keys={`${modKey} B`} />
        </>
      }
    >
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        data-sidebar-toggle
        aria-label={label}
        className="max-lg:hidden"
        onClick={toggleSidebar}
      >
        {isFolded ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
      </Button>
    </Tooltip>
  );
}

/**
 * From lg full width, or icons only if the user folded it; icons only on tablets. Below md the
 * drawer of the top bar replaces it.
 */
export function Sidebar({ project }: { project: Project }) {
  const { t } = useTranslation();
  const isFolded = useSidebarWidth() === "icons";
  useShortcuts({ "mod+b": toggleSidebar });
  return (
    <>
      {isFolded ? null : (
        <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col gap-5 overflow-y-auto border-r border-border bg-surface px-3 py-4 lg:flex">
          <div className="flex shrink-0 items-center justify-between">
            <Link to="/projects" className="mx-1 rounded-md px-1 py-0.5">
              <Logo />
              <span className="sr-only">{t("nav.allProjects")}</span>
            </Link>
            <FoldButton isFolded={false} />
          </div>
          <ProjectSwitcher project={project} />
          <SidebarNav project={project} />
        </aside>
      )}
      <aside
        className={cn(
          "sticky top-0 hidden h-dvh w-14 shrink-0 flex-col items-center gap-5 overflow-y-auto border-r border-border bg-surface py-4 md:flex",
          isFolded ? null : "lg:hidden",
        )}
      >
        <Tooltip side="right" content={t("nav.allProjects")}>
          <Link to="/projects" aria-label={t("nav.allProjects")} className="rounded-md">
            <LogoMark />
          </Link>
        </Tooltip>
        <FoldButton isFolded />
        <ProjectSwitcher project={project} rail />
        <SidebarNav project={project} rail />
      </aside>
    </>
  );
}
