import { setNonce } from "get-nonce";

/** CSP nonce of this page, for libraries that insert style elements. */
export const cspNonce: string =
  document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";

if (cspNonce !== "") {
  setNonce(cspNonce);
}
