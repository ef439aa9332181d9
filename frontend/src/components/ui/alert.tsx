import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

const LOOKS = {
  info: { classes: "bg-info-bg text-info", Icon: Info },
  success: { classes: "bg-success-bg text-success", Icon: CircleCheck },
  warning: { classes: "bg-warning-bg text-warning", Icon: TriangleAlert },
  danger: { classes: "bg-danger-bg text-danger", Icon: CircleAlert },
} as const;

export interface AlertProps {
  tone: keyof typeof LOOKS;
  children: ReactNode;
  title?: string;
  action?: ReactNode;
  /** Announced immediately; off for text present from the start. */
  live?: boolean;
  className?: string;
}

export function Alert({ tone, children, title, action, live = true, className }: AlertProps) {
  const { classes, Icon } = LOOKS[tone];
  return (
    <div
      role={live ? (tone === "danger" ? "alert" : "status") : undefined}
      className={cn("flex items-start gap-2.5 rounded-lg px-3.5 py-3 text-sm", classes, className)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-0.5 wrap-anywhere">
        {title === undefined ? null : <p className="font-semibold">{title}</p>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
}
