import { queryOptions } from "@tanstack/react-query";
import { allPages, query } from "./queries";

/** Provider kinds and their forms; they change only with a new release. */
export const providersQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/providers", { project: slug }, { staleTime: Infinity }),
    select: (page) => page.items,
  });

/** All credentials of a project: pickers need the full list, and there are few. */
export const credentialsQuery = (slug: string) =>
  allPages("/projects/{project}/credentials", { project: slug });
