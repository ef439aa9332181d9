import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

/** The tags of a dataset itself. `none` is shown without any. */
export function TagBadges({ tags, none = null }: { tags: readonly string[]; none?: ReactNode }) {
  return tags.length === 0 ? (
    none
  ) : (
    <span className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <Badge key={tag} tone="neutral" className="max-w-48 truncate">
          {tag}
        </Badge>
      ))}
    </span>
  );
}
