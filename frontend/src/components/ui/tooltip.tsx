import { Tooltip as Primitive } from "radix-ui";
import { createContext, useContext, useEffect, useRef, type ReactNode } from "react";

const PointerInUse = createContext({ current: false });

export function TooltipProvider({ children }: { children: ReactNode }) {
  const isPointerInUse = useRef(false);
  useEffect(() => {
    const onPointer = () => void (isPointerInUse.current = true);
    const onKey = () => void (isPointerInUse.current = false);
    document.addEventListener("pointerdown", onPointer, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPointer, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, []);
  return (
    <PointerInUse value={isPointerInUse}>
      <Primitive.Provider delayDuration={300}>{children}</Primitive.Provider>
    </PointerInUse>
  );
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
  const isPointerInUse = useContext(PointerInUse);
  return (
    <Primitive.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChanged === undefined ? {} : { onOpenChange: onOpenChanged })}
    >
      <Primitive.Trigger
        asChild
        onFocus={(event) => {
          // A closing dialog gives the focus back: after a click, that is no reason to explain.
          if (isPointerInUse.current) {
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
