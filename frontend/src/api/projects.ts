import { allPages } from "./queries";

/** All projects one belongs to, archived ones too, to choose one of them or name one by its id. */
export const projectChoicesQuery = allPages("/projects", {
  query: { sort: "name", status: "all" },
});
