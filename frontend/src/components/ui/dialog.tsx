import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";
import { useReturnFocus } from "./return-focus";

export const OVERLAY = "fixed inset-0 z-40 bg-overlay animate-fade-in";

const WIDTHS = { sm: "max-w-md", md: "max-w-lg", lg: "max-w-2xl", xl: "max-w-6xl" } as const;

export interface DialogProps {
  open: boolean;
  onOpenChanged: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  description?: ReactNode;
  /** A click outside closes the dialog; turn off when it would lose work. */
  closeOnOutside?: boolean;
  /** Escape closes the dialog; turn off when the focused element uses it. */
  closeOnEscape?: boolean;
  width?: keyof typeof WIDTHS;
  /** Keyboard shortcuts inside the dialog. */
  onKeyDown?: (event: KeyboardEvent) => void;
}

export function CloseButton({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <Primitive.Close
      aria-label={t("ui.close")}
      className={cn(
        "flex size-8 items-center justify-center rounded-md text-ink-subtle transition-colors hover:bg-surface-hover hover:text-ink",
        className,
      )}
    >
      <X aria-hidden className="size-4" />
    </Primitive.Close>
  );
}

export function Dialog(props: DialogProps) {
  const { open, onOpenChanged, title, children, description } = props;
  const returnFocus = useReturnFocus(open);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChanged}>
      <Primitive.Portal>
        <Primitive.Overlay className={OVERLAY} />
        <Primitive.Content
          {...returnFocus}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          {...(props.onKeyDown === undefined ? {} : { onKeyDown: props.onKeyDown })}
          onInteractOutside={(event) => {
            if (props.closeOnOutside === false) {
              event.preventDefault();
            }
          }}
          onEscapeKeyDown={(event) => {
            if (props.closeOnEscape === false) {
              event.preventDefault();
            }
          }}
          className={cn(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 animate-scale-in flex-col overflow-y-auto rounded-xl border border-border bg-raised shadow-xl focus:outline-none",
            WIDTHS[props.width ?? "md"],
          )}
        >
          <div className="grid gap-1 px-6 pt-5 pr-14">
            <Primitive.Title className="text-base font-semibold text-balance">
              {title}
            </Primitive.Title>
            {description === undefined ? null : (
              <Primitive.Description asChild>
                <div className="text-sm text-ink-muted">{description}</div>
              </Primitive.Description>
            )}
          </div>
          <div className="grid gap-5 px-6 pt-4 pb-6">{children}</div>
          <CloseButton className="absolute top-4 right-4" />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Buttons of a dialog; stay in view while the content scrolls. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-2 border-t border-border bg-raised px-6 py-4">
      {children}
    </div>
  );
}
