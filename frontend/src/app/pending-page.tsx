import { useContext } from "react";
import { CardGridSkeleton, Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/lib/cn";
import { useFillsWindow } from "./fills-window";
import { ProjectContext } from "./project-context";

function PageSkeleton() {
  return (
    <>
      <Skeleton className="h-7 w-56" />
      <CardGridSkeleton />
    </>
  );
}

/** Skeleton shown while a page's code or first data loads, inside the project's frame if there is one. */
export function PendingPage() {
  const hasFrame = useContext(ProjectContext) !== null;
  const fillsWindow = useFillsWindow();
  if (hasFrame) {
    return (
      <div className={cn("grid gap-8", fillsWindow && "px-4 py-8 md:px-8")}>
        <PageSkeleton />
      </div>
    );
  }
  return (
    <div className="min-h-dvh">
      <div className="h-14 border-b border-border" />
      <main id="main-content" className="mx-auto grid max-w-6xl gap-8 px-4 py-8 md:px-8">
        <PageSkeleton />
      </main>
    </div>
  );
}
