import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { listsOf } from "@/api/keys";
import { addressOf } from "@/api/queries";
import { useRefreshingMutation } from "@/api/refreshing-mutation";
import { request, type Path } from "@/api/request";
import { familiesOf } from "@/api/use-change";
import type { Resource } from "./resource";

/** Path of one resource, such as `/projects/{project}/prompts/{prompt_id}`. */
export type ResourcePath = Extract<
  Extract<Path<"patch">, Path<"delete">>,
  `/projects/{project}/${string}_id}`
>;

export interface ResourceFamilies {
  /** Families to invalidate after a change, instead of the resource type and the audit log. */
  refresh?: readonly QueryKey[];
  /** Families to invalidate in addition. */
  also?: readonly QueryKey[];
}

/** Requests that rename, duplicate, archive and delete resources of one type. */
export function useResourceChanges(
  slug: string,
  path: ResourcePath,
  { refresh, also = [] }: ResourceFamilies,
) {
  const [family = [], ...audit] = familiesOf(path, { project: slug });
  const parameter = path.slice(path.lastIndexOf("{") + 1, -1);
  const at = (id: string) => ({ project: slug, [parameter]: id });
  const changed = refresh ?? [family, ...audit, ...also];
  const send = (method: "post" | "patch", below: string, id: string, body?: object) =>
    request(method, `${path}${below}`, { ...at(id), body }) as Promise<Resource>;
  const keep = (queryClient: QueryClient, saved: Resource) =>
    queryClient.setQueryData(listsOf(addressOf(path, at(saved.id))), saved);
  return {
    rename: useRefreshingMutation(
      changed,
      ({ id, name }: { id: string; name: string }) => send("patch", "", id, { name }),
      { keep },
    ),
    duplicate: useRefreshingMutation(changed, (id: string) => send("post", "/duplicate", id, {}), {
      keep,
    }),
    archive: useRefreshingMutation(
      changed,
      ({ id, archive }: { id: string; archive: boolean }) =>
        // Datasets and runs have no requests of their own for this.
        parameter === "dataset_id" || parameter === "run_id"
          ? send("patch", "", id, { is_archived: archive })
          : send("post", archive ? "/archive" : "/unarchive", id),
      { keep },
    ),
    // Only lists: the deleted resource must not be refetched.
    remove: useRefreshingMutation([listsOf(family), ...audit, ...also], (id: string) =>
      request("delete", path, at(id)),
    ),
  };
}
