import { query } from "@/api/queries";

export const homeQuery = (slug: string) => query("/projects/{project}/home", { project: slug });
