interface Sourced {
  provider: string;
  provider_title: string;
  credential_id: string;
  credential_label: string;
}

/** Where a model comes from: its provider, or the credential if `models` use several of a kind. */
export function modelSource(model: Sourced, models: readonly Sourced[]): string {
  const isOne = models.every(
    ({ provider, credential_id }) =>
      provider !== model.provider || credential_id === model.credential_id,
  );
  return isOne ? model.provider_title : model.credential_label;
}
