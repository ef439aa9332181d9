import { cn } from "@/lib/cn";
import { initials } from "@/lib/format";

export interface AvatarProps {
  name: string | null;
  email: string;
  size?: "sm" | "md" | "lg";
}

const SIZES = { sm: "size-6 text-[10px]", md: "size-8 text-xs", lg: "size-12 text-base" } as const;

/** Decorative: the name is always shown beside it. */
export function Avatar({ name, email, size = "md" }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={cn(
        "inline-flex shrink-0 items-center justify-center rounded-full bg-accent-bg font-semibold text-on-accent-bg select-none",
        SIZES[size],
      )}
    >
      {initials(name, email)}
    </span>
  );
}
