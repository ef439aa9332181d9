import { FlaskConical } from "lucide-react";
import type { ProviderKind } from "@/api/types";
import { initials } from "@/lib/format";

/** Decorative: the provider's name is always shown beside it. */
export function ProviderMark({
  provider,
}: {
  provider: Pick<ProviderKind, "title" | "is_simulated">;
}) {
  return (
    <span
      aria-hidden
      className="flex size-9 shrink-0 items-center justify-center rounded-lg border border-border bg-surface text-xs font-semibold text-ink-muted [&_svg]:size-4"
    >
      {provider.is_simulated ? <FlaskConical /> : initials(provider.title, "")}
    </span>
  );
}
