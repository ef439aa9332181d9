import { CardGridSkeleton, Skeleton } from "@/components/ui/skeleton";

/** Skeleton shown while a page's code or first data loads. */
export function PendingPage() {
  return (
    <div className="min-h-dvh">
      <div className="h-14 border-b border-border" />
      <main id="main-content" className="mx-auto grid max-w-6xl gap-8 px-4 py-8 md:px-8">
        <Skeleton className="h-7 w-56" />
        <CardGridSkeleton />
      </main>
    </div>
  );
}
