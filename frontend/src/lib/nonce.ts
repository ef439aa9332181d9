import { setNonce } from "get-nonce";

/** The nonce of this page, for the few libraries that write a style element. */
export const cspNonce: string =
  document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";

if (cspNonce !== "") {
  setNonce(cspNonce);
}
