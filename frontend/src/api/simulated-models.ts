import { keys } from "./keys";
import { readAllPages } from "./pages";
import { useRefreshingMutation } from "./refreshing-mutation";
import { send } from "./request";
import type { Credential, Model } from "./types";

const PROVIDER = "sim";
/** Two models to compare, the weaker one first. */
const NAMES = ["sim-small", "sim-large"];

function freeLabel(label: string, credentials: readonly Credential[]): string {
  const taken = new Set(credentials.map((credential) => credential.label));
  let free = label;
  for (let number = 2; taken.has(free); number += 1) {
    free = `${label} ${number}`;
  }
  return free;
}

/** The credential of simulated models; a new one is named `label`. */
async function findOrAddCredential(project: string, label: string): Promise<string> {
  const credentials = await readAllPages((query) =>
    send("get", "/projects/{project}/credentials", { project, query }),
  );
  const simulated = credentials.filter(({ provider }) => provider === PROVIDER);
  const known = simulated.find(({ is_default }) => is_default) ?? simulated[0];
  if (known !== undefined) {
    return known.id;
  }
  const { id } = await send("post", "/projects/{project}/credentials", {
    project,
    body: { provider: PROVIDER, label: freeLabel(label, credentials), is_default: false },
  });
  return id;
}

/** Adds models that need no key. Those that are there already are enabled. */
export async function addSimulatedModels(project: string, label: string): Promise<Model[]> {
  const credentialId = await findOrAddCredential(project, label);
  const { created, skipped } = await send("post", "/projects/{project}/models/import", {
    project,
    body: { credential_id: credentialId, provider_models: NAMES },
  });
  const models = [...created];
  if (skipped.length > 0) {
    const all = await readAllPages((query) =>
      send("get", "/projects/{project}/models", { project, query }),
    );
    const present = all.filter(
      (model) => model.credential_id === credentialId && skipped.includes(model.provider_model),
    );
    await send("patch", "/projects/{project}/models", {
      project,
      body: { model_ids: present.map(({ id }) => id), is_enabled: true },
    });
    models.push(...present.map((model) => ({ ...model, is_enabled: true })));
  }
  return NAMES.flatMap((name) => models.filter((model) => model.provider_model === name));
}

export function useAddSimulatedModels(slug: string) {
  return useRefreshingMutation(
    [keys.models(slug), keys.credentials(slug), keys.audit(slug)],
    (label: string) => addSimulatedModels(slug, label),
  );
}
