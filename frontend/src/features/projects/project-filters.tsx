import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/lib/hooks";
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

function SearchBox({ filters, onFiltersChanged }: ProjectFilterBarProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(filters.q ?? "");
  const settled = useDebounced(text.trim());
  const q = settled.length >= MIN_SEARCH_LENGTH ? settled : undefined;
  useEffect(() => {
    if (q !== filters.q) {
      onFiltersChanged({ ...filters, q });
    }
    // Only a change of the typed text may change the address, not the other way round.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [q]);
  return (
    <div className="w-full sm:max-w-xs sm:flex-1">
      <Input
        type="search"
        data-page-search
        icon={<Search aria-hidden />}
        aria-label={t("projects.search")}
        placeholder={t("projects.search")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  );
}

export function ProjectFilterBar({ filters, onFiltersChanged }: ProjectFilterBarProps) {
  const { t } = useTranslation();
  const roles: readonly { value: Role | "all"; label: string }[] = [
    { value: "all", label: t("projects.allRoles") },
    ...[...ROLES].reverse().map((role) => ({ value: role, label: t(`roles.${role}.name`) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-3">
      <SearchBox filters={filters} onFiltersChanged={onFiltersChanged} />
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
