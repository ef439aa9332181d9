import type { ReactNode } from "react";

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, description, badges, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <div className="flex flex-wrap items-center gap-2.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {badges}
        </div>
        {description ? (
          <p className="max-w-2xl text-sm text-pretty wrap-anywhere text-ink-muted">
            {description}
          </p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}
