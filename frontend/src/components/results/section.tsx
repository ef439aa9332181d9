import { useId, type ReactNode } from "react";
import { Explained } from "@/components/ui/explained";

export interface SectionProps {
  title: string;
  hint?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A section of the results with a heading. */
export function Section({ title, hint, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="grid gap-0.5">
          <h2 id={id} className="text-base font-semibold">
            <Explained text={title} />
          </h2>
          {hint === undefined ? null : (
            <p className="text-sm text-ink-muted">
              <Explained text={hint} />
            </p>
          )}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
