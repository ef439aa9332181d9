import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, FolderOpen, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/dropdown-menu";
import { projectListQuery } from "@/features/projects/queries";
import { cn } from "@/lib/cn";

const SHOWN = 8;

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-6 shrink-0 items-center justify-center rounded-md bg-accent-bg text-xs font-semibold text-on-accent-bg"
    >
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  );
}

export interface ProjectSwitcherProps {
  project: Project;
  rail?: boolean;
}

export function ProjectSwitcher({ project, rail = false }: ProjectSwitcherProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useInfiniteQuery(projectListQuery({}));
  const others = (data?.items ?? []).filter((item) => item.id !== project.id).slice(0, SHOWN);
  return (
    <Menu
      align="start"
      side={rail ? "right" : "bottom"}
      className="w-64"
      trigger={
        <button
          type="button"
          className={cn(
            "flex shrink-0 items-center gap-2.5 rounded-lg border border-border bg-raised text-left transition-colors hover:border-border-strong",
            rail ? "size-9 justify-center" : "h-10 w-full px-2",
          )}
        >
          <Initial name={project.name} />
          <span className="sr-only">{t("nav.switchProject", { name: project.name })}</span>
          {rail ? null : (
            <>
              <span aria-hidden className="min-w-0 flex-1 truncate text-sm font-medium">
                {project.name}
              </span>
              <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-subtle" />
            </>
          )}
        </button>
      }
    >
      <MenuLabel>{t("nav.projects")}</MenuLabel>
      <MenuItem onSelect={() => void navigate({ to: "/p/$slug", params: { slug: project.slug } })}>
        <Initial name={project.name} />
        <span className="min-w-0 flex-1 truncate">{project.name}</span>
        <Check aria-hidden className="text-accent-ink!" />
      </MenuItem>
      {others.map((item) => (
        <MenuItem
          key={item.id}
          onSelect={() => void navigate({ to: "/p/$slug", params: { slug: item.slug } })}
        >
          <Initial name={item.name} />
          <span className="min-w-0 flex-1 truncate">{item.name}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate({ to: "/projects" })}>
        <FolderOpen aria-hidden />
        {t("nav.allProjects")}
      </MenuItem>
      <MenuItem onSelect={() => void navigate({ to: "/projects", search: { create: true } })}>
        <Plus aria-hidden />
        {t("projects.new")}
      </MenuItem>
    </Menu>
  );
}
