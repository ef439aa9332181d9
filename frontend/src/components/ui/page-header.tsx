import { use, type ReactNode } from "react";
import { GuideContext } from "@/lib/guides";
import { GuideLink } from "./guide-link";

export interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  badges?: ReactNode;
  actions?: ReactNode;
}

/** Title of a page, with a link to the guide if the page has one. */
export function PageHeader({ title, description, badges, actions }: PageHeaderProps) {
  const guide = use(GuideContext);
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <div className="flex flex-wrap items-center gap-2.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {badges}
        </div>
        {description || guide !== null ? (
          <p className="max-w-2xl text-sm text-pretty wrap-anywhere text-ink-muted">
            {description} {guide === null ? null : <GuideLink guide={guide} />}
          </p>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}
