import type { ComponentProps } from "react";
import { cn } from "@/lib/cn";
import { CONTROL } from "./input";

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      dir="auto"
      rows={rows}
      className={cn(CONTROL, "min-h-20 px-3 py-2 read-only:bg-surface", className)}
      {...rest}
    />
  );
}
