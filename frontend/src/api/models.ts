import { allPages, query } from "./queries";

const FIVE_MINUTES = 5 * 60_000;

/** All models of a project: every place that offers a choice among them needs every one. */
export const modelsQuery = (slug: string) =>
  allPages("/projects/{project}/models", { project: slug });

/** What is known of a provider's model before anybody has added it. */
export const knownModelQuery = (slug: string, credentialId: string, name: string) =>
  query(
    "/projects/{project}/known-models",
    { project: slug, query: { credential_id: credentialId, provider_model: name } },
    { staleTime: FIVE_MINUTES },
  );

/** Which models go well together, and which cost a lot. */
export const modelAdviceQuery = (slug: string) =>
  query("/projects/{project}/model-advice", { project: slug }, { family: "models", staleTime: 0 });
