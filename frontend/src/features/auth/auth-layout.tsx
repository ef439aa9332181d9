import type { ReactNode } from "react";
import { Logo } from "@/components/logo";

export interface AuthLayoutProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}

export function AuthLayout({ title, description, children, footer }: AuthLayoutProps) {
  return (
    <main
      id="main-content"
      className="flex min-h-dvh flex-col items-center justify-center bg-surface px-4 py-12"
    >
      <div className="mb-8">
        <Logo />
      </div>
      <div className="w-full max-w-[400px] rounded-xl border border-border bg-raised p-6 shadow-sm sm:p-8">
        <div className="mb-6 grid gap-1.5 text-center">
          <h1 className="text-xl font-semibold tracking-tight text-balance">{title}</h1>
          {description ? <p className="text-sm text-pretty text-ink-muted">{description}</p> : null}
        </div>
        {children}
      </div>
      {footer ? <div className="mt-6 text-sm text-ink-muted">{footer}</div> : null}
    </main>
  );
}

export const TEXT_LINK =
  "rounded-sm font-medium text-accent-ink underline-offset-4 hover:underline";
