import { allPages, query } from "./queries";

const FIVE_MINUTES = 5 * 60_000;

/** All models of a project: model pickers need the full list. */
export const modelsQuery = (slug: string) =>
  allPages("/projects/{project}/models", { project: slug });

/** Known properties of a provider's model that is not in the project yet. */
export const knownModelQuery = (slug: string, credentialId: string, name: string) =>
  query(
    "/projects/{project}/known-models",
    { project: slug, query: { credential_id: credentialId, provider_model: name } },
    { staleTime: FIVE_MINUTES },
  );

/** Recommended model combinations and expensive models. */
export const modelAdviceQuery = (slug: string) =>
  query("/projects/{project}/model-advice", { project: slug }, { family: "models", staleTime: 0 });
