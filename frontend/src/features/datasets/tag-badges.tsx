import { Badge } from "@/components/ui/badge";

/** The tags of a dataset itself. */
export function TagBadges({ tags }: { tags: readonly string[] }) {
  return tags.length === 0 ? null : (
    <span className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <Badge key={tag} tone="neutral" className="max-w-48 truncate">
          {tag}
        </Badge>
      ))}
    </span>
  );
}
