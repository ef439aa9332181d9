import type { Credential } from "@/api/types";

type StoredSecret = Credential["secrets"][string];

/** Masked secret: "••••1234", or "$NAME" for an environment variable. */
export function maskSecret({ env, last_four }: StoredSecret): string {
  return env ? `$${env}` : `••••${last_four ?? ""}`;
}
