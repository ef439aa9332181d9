import { pages } from "@/api/queries";
import type { Role } from "@/lib/permissions";

export const PROJECTS_PER_PAGE = 20;
export const MIN_SEARCH_LENGTH = 2;

export const PROJECT_STATUSES = ["active", "archived", "all"] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

export interface ProjectFilters {
  q?: string | undefined;
  role?: Role | undefined;
  status?: ProjectStatus | undefined;
}

export const projectListQuery = ({ q, role, status }: ProjectFilters) =>
  pages("/projects", {
    query: { limit: PROJECTS_PER_PAGE, sort: "-changed_at", status: status ?? "active", q, role },
  });
