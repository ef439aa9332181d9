import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "@/api/models";
import { LoadError } from "@/components/load-error";
import { ModelFields } from "@/components/run-fields/model-fields";
import { Skeleton } from "@/components/ui/skeleton";

export interface ModelChooserProps {
  slug: string;
  chosen: readonly string[];
  onChosenChanged: (chosen: readonly string[]) => void;
}

/** Models to tick, once they are known. */
export function ModelChooser({ slug, chosen, onChosenChanged }: ModelChooserProps) {
  const models = useQuery(modelsQuery(slug));
  return (
    <>
      <LoadError queries={[models]} />
      {models.data === undefined ? (
        models.isError ? null : (
          <Skeleton className="h-10" />
        )
      ) : (
        <ModelFields
          slug={slug}
          models={models.data}
          chosen={chosen}
          errors={{}}
          onChosenChanged={onChosenChanged}
        />
      )}
    </>
  );
}
