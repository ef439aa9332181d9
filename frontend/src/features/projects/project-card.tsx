import { Link } from "@tanstack/react-router";
import { Archive, Clock, FlaskConical, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { RoleBadge } from "@/components/role-badge";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { truncate } from "@/lib/format";

const DESCRIPTION_LIMIT = 100;

export function ProjectCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const archived = typeof project.archived_at === "string";
  return (
    <li className="group relative flex min-w-0 flex-col gap-3 rounded-xl border border-border bg-raised p-5 transition-[border-color,box-shadow] duration-150 focus-within:border-border-strong hover:border-border-strong hover:shadow-sm">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-sm font-semibold break-words">
          <Link
            to="/p/$slug"
            params={{ slug: project.slug }}
            className="rounded-sm group-hover:text-accent-ink after:absolute after:inset-0 after:rounded-xl"
          >
            {project.name}
          </Link>
        </h2>
        <span className="flex shrink-0 gap-1.5">
          {project.is_demo ? <Badge tone="outline">{t("projects.demo")}</Badge> : null}
          <RoleBadge role={project.role} />
        </span>
      </div>
      <p className="min-h-10 flex-1 text-sm break-words text-ink-muted">
        {project.description ? (
          truncate(project.description, DESCRIPTION_LIMIT)
        ) : (
          <span className="text-ink-subtle">{t("projects.noDescription")}</span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-ink-muted [&_svg]:size-3.5 [&_svg]:text-ink-subtle">
        <span className="flex items-center gap-1.5">
          <Clock aria-hidden />
          <span className="sr-only">{t("projects.updated")}</span>
          <RelativeTime iso={project.changed_at} className="relative z-10" />
        </span>
        <span className="flex items-center gap-1.5">
          <Users aria-hidden />
          {t("projects.members", { count: project.member_count })}
        </span>
        {project.experiment_count === 0 ? null : (
          <span className="flex items-center gap-1.5">
            <FlaskConical aria-hidden />
            {t("projects.experiments", { count: project.experiment_count })}
          </span>
        )}
        {archived ? (
          <span className="ml-auto [&_svg]:text-current">
            <Badge tone="warning" icon={<Archive aria-hidden />}>
              {t("projects.archived")}
            </Badge>
          </span>
        ) : null}
      </div>
    </li>
  );
}
