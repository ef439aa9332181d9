import { Progress as Primitive } from "radix-ui";
import { cn } from "@/lib/cn";

const TONES = {
  accent: "bg-accent-solid",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger-solid",
} as const;

export interface ProgressProps {
  label: string;
  /** 0 to 100; null when unknown. */
  value: number | null;
  tone?: keyof typeof TONES;
  className?: string;
}

export function Progress({ label, value, tone = "accent", className }: ProgressProps) {
  return (
    <Primitive.Root
      aria-label={label}
      value={value}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-surface-hover", className)}
    >
      <Primitive.Indicator
        className={cn(
          "h-full rounded-full transition-[width] duration-250 ease-out",
          TONES[tone],
          value === null && "w-1/3 animate-pulse",
        )}
        style={value === null ? undefined : { width: `${value}%` }}
      />
    </Primitive.Root>
  );
}
