import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delayDuration={300}>{children}</Primitive.Provider>;
}

export interface TooltipProps {
  content: ReactNode;
  children: ReactNode;
  side?: "top" | "right" | "bottom" | "left";
  /** Controlled open state; by default hover and focus open it. */
  isOpen?: boolean;
  onOpenChanged?: (isOpen: boolean) => void;
}

export function Tooltip({ content, children, side = "top", isOpen, onOpenChanged }: TooltipProps) {
  return (
    <Primitive.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChanged === undefined ? {} : { onOpenChange: onOpenChanged })}
    >
      <Primitive.Trigger
        asChild
        onFocus={(event) => {
          // A closing dialog gives the focus back: after a click, that is no reason to explain.
          if (!event.currentTarget.matches(":focus-visible")) {
            event.preventDefault();
          }
        }}
      >
        {children}
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-fade-in items-center gap-2 rounded-md bg-ink px-2.5 py-1.5 text-xs text-bg shadow-md"
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
