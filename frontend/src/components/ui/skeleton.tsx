import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "@/lib/cn";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn("skeleton block h-4 w-full", className)} />;
}

export interface LoadingStatusProps {
  children: ReactNode;
  className?: string;
}

/** Announces to screen readers once that content is loading. */
export function LoadingStatus({ children, className }: LoadingStatusProps) {
  const { t } = useTranslation();
  return (
    <div aria-busy className={className}>
      <span role="status" className="sr-only">
        {t("ui.loading")}
      </span>
      {children}
    </div>
  );
}

export function CardGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <LoadingStatus>
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className="grid gap-4 rounded-xl border border-border p-5">
            <div className="flex items-center justify-between">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-5 w-14 rounded-full" />
            </div>
            <Skeleton className="h-3.5 w-full" />
            <Skeleton className="h-3 w-1/2" />
          </div>
        ))}
      </div>
    </LoadingStatus>
  );
}

export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <LoadingStatus>
      <div className="overflow-hidden rounded-lg border border-border">
        <div className="h-9 border-b border-border bg-surface" />
        {Array.from({ length: rows }, (_, index) => (
          <div
            key={index}
            className="flex items-center gap-6 border-b border-border px-4 py-4 last:border-b-0"
          >
            <Skeleton className="h-3.5 w-1/3" />
            <Skeleton className="h-3.5 w-1/5" />
            <Skeleton className="ml-auto h-3.5 w-24" />
          </div>
        ))}
      </div>
    </LoadingStatus>
  );
}

export function FormSkeleton({ fields = 4 }: { fields?: number }) {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        {Array.from({ length: fields }, (_, index) => (
          <div key={index} className="grid gap-2">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-10" />
          </div>
        ))}
      </div>
    </LoadingStatus>
  );
}
