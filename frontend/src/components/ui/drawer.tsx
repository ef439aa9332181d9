import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { useReturnFocus } from "./return-focus";
import { CloseButton, OVERLAY } from "./dialog";

export interface DrawerProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  description?: ReactNode;
  side?: "left" | "right";
  className?: string;
}

export function Drawer(props: DrawerProps) {
  const { open, onOpenChanged, title, children, description, side = "right", className } = props;
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChanged}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY} />
        <Primitive.Content
          {...returnFocus}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={cn(
            "fixed inset-y-0 z-50 flex w-full max-w-xl flex-col border-border bg-raised shadow-xl focus:outline-none",
            side === "right"
              ? "right-0 animate-slide-in-right border-l"
              : "left-0 animate-slide-in-left border-r",
            className,
          )}
        >
          <div className="flex items-start justify-between gap-4 border-b border-border px-6 py-4">
            <div className="grid min-w-0 gap-1">
              <Primitive.Title className="text-base font-semibold break-words">
                {title}
              </Primitive.Title>
              {description === undefined ? null : (
                <Primitive.Description asChild>
                  <div className="text-sm text-ink-muted">{description}</div>
                </Primitive.Description>
              )}
            </div>
            <CloseButton />
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 py-5">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
