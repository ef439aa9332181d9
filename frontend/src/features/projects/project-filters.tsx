import { useTranslation } from "react-i18next";
import { SearchBox } from "@/components/search-box";
import { Select } from "@/components/ui/select";
import { ROLES, type Role } from "@/lib/permissions";
import {
  MIN_SEARCH_LENGTH,
  PROJECT_STATUSES,
  type ProjectFilters,
  type ProjectStatus,
} from "./queries";

export interface ProjectFilterBarProps {
  filters: ProjectFilters;
  onFiltersChanged: (filters: ProjectFilters) => void;
}

export function ProjectFilterBar({ filters, onFiltersChanged }: ProjectFilterBarProps) {
  const { t } = useTranslation();
  const roles: readonly { value: Role | "all"; label: string }[] = [
    { value: "all", label: t("projects.allRoles") },
    ...[...ROLES].reverse().map((role) => ({ value: role, label: t(`roles.${role}.name`) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="w-full sm:max-w-xs sm:flex-1">
        <SearchBox
          label={t("projects.search")}
          value={filters.q}
          delay={300}
          minLength={MIN_SEARCH_LENGTH}
          onValueChanged={(q) => onFiltersChanged({ ...filters, q })}
        />
      </div>
      <Select
        aria-label={t("projects.roleFilter")}
        className="w-36"
        value={filters.role ?? "all"}
        options={roles}
        onValueChanged={(value) =>
          onFiltersChanged({ ...filters, role: value === "all" ? undefined : value })
        }
      />
      <Select<ProjectStatus>
        aria-label={t("projects.statusFilter")}
        className="w-36"
        value={filters.status ?? "active"}
        options={PROJECT_STATUSES.map((status) => ({
          value: status,
          label: t(`projects.status.${status}`),
        }))}
        onValueChanged={(value) =>
          onFiltersChanged({ ...filters, status: value === "active" ? undefined : value })
        }
      />
    </div>
  );
}
