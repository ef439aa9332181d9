import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/lib/cn";
import { Explained } from "./explained";

const VARIANTS = {
  default: "border border-border bg-raised",
  elevated: "border border-border bg-raised shadow-md",
  flat: "bg-surface",
  danger: "border border-danger/40 bg-raised",
} as const;

export interface CardProps extends ComponentProps<"section"> {
  variant?: keyof typeof VARIANTS;
}

export function Card({ variant = "default", className, ...rest }: CardProps) {
  return <section className={cn("rounded-xl", VARIANTS[variant], className)} {...rest} />;
}

export interface CardHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  id?: string;
}

/** Texts explain their statistical words; other contents stay as they are. */
const explained = (content: ReactNode) =>
  typeof content === "string" ? <Explained text={content} /> : content;

export function CardHeader({ title, description, actions, id }: CardHeaderProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-5">
      <div className="grid min-w-0 gap-1">
        <h2 id={id} className="text-sm font-semibold">
          {explained(title)}
        </h2>
        {description ? <p className="text-sm text-ink-muted">{explained(description)}</p> : null}
      </div>
      {actions}
    </div>
  );
}

export function CardContent({ className, ...rest }: ComponentProps<"div">) {
  return <div className={cn("p-5", className)} {...rest} />;
}

export function CardFooter({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      className={cn(
        "flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t border-border bg-surface px-5 py-3",
        className,
      )}
      {...rest}
    />
  );
}
