import { formatExact, formatRelative } from "@/lib/format";
import { useNow } from "@/lib/hooks";

export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={iso} title={formatExact(iso)} className={className}>
      {formatRelative(iso, now)}
    </time>
  );
}
