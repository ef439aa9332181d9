import { queryOptions } from "@tanstack/react-query";
import { allPages, query } from "./queries";

/** The kinds of providers and their forms; they change only with the program itself. */
export const providersQuery = (slug: string) =>
  queryOptions({
    ...query("/projects/{project}/providers", { project: slug }, { staleTime: Infinity }),
    select: (page) => page.items,
  });

/** All credentials: they are few, and choosing among them needs every one. */
export const credentialsQuery = (slug: string) =>
  allPages("/projects/{project}/credentials", { project: slug });
