import { useId, type ReactNode } from "react";

export interface SectionProps {
  title: string;
  description: string;
  children: ReactNode;
}

export function Section({ title, description, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div className="grid max-w-2xl gap-1">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        <p className="text-sm text-pretty text-ink-muted">{description}</p>
      </div>
      {children}
    </section>
  );
}
