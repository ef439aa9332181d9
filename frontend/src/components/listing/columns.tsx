import { Link, type LinkProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ReactNode } from "react";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Column } from "@/components/ui/table";
import type { Resource } from "./resource";
import { NAME_LINK, ResourceName } from "./resource-name";

export interface NameColumn<T> {
  /** The page of the resource. */
  link: (resource: T) => Pick<LinkProps, "to" | "params">;
  badge?: (resource: T) => ReactNode;
  /** Text below the name. */
  note?: (resource: T) => ReactNode;
  className?: string;
}

interface Versioned {
  latest: { label: string } | null;
  /** Author of the latest version. */
  author: string | null;
}

/** Columns shared by resource lists. */
export function useResourceColumns<T extends Resource>() {
  const { t } = useTranslation();
  return {
    name: ({ link, badge, note, className = "lg:w-1/3" }: NameColumn<T>): Column<T> => ({
      key: "name",
      primary: true,
      header: t("fields.name"),
      className,
      cell: (resource) => (
        <ResourceName
          isArchived={(resource.archived_at ?? null) !== null}
          note={note?.(resource) ?? null}
        >
          <Link {...link(resource)} className={NAME_LINK}>
            {resource.name}
          </Link>
          {badge?.(resource)}
        </ResourceName>
      ),
    }),
    /** The latest version and its author. */
    version: (header: string, none: ReactNode = null): Column<T & Versioned> => ({
      key: "version",
      header,
      cell: ({ latest, author }) =>
        latest === null ? (
          none
        ) : (
          <span className="grid min-w-0 gap-0.5">
            <code className="text-xs">{latest.label}</code>
            {author === null ? null : (
              <span className="max-w-48 truncate text-xs text-ink-muted" title={author}>
                {author}
              </span>
            )}
          </span>
        ),
    }),
    /** A timestamp column; `never` is shown when it is null. */
    time: (
      key: string,
      header: string,
      timeOf: (resource: T) => string | null,
      never: ReactNode = null,
    ): Column<T> => ({
      key,
      header,
      align: "right",
      cell: (resource) => {
        const iso = timeOf(resource);
        return iso === null ? (
          <span className="text-ink-subtle">{never}</span>
        ) : (
          <RelativeTime iso={iso} className="whitespace-nowrap text-ink-muted" />
        );
      },
    }),
  };
}
