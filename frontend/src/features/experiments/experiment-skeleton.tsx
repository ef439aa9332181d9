import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";

export function ExperimentSkeleton() {
  return (
    <LoadingStatus>
      <div className="grid gap-6">
        <Skeleton className="h-7 w-72" />
        <Skeleton className="h-24 rounded-xl" />
        <div className="grid grid-cols-2 gap-4 xl:grid-cols-4">
          {["best", "gain", "iterations", "cost"].map((key) => (
            <Skeleton key={key} className="h-28 rounded-xl" />
          ))}
        </div>
        <Skeleton className="h-72 rounded-xl" />
      </div>
    </LoadingStatus>
  );
}
