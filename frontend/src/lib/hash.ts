/** A parameter of the URL fragment, such as `#proof=…`, which is not sent to the server. */
export function hashParam(hash: string, name: string): string | null {
  const value = new URLSearchParams(hash.replace(/^#/, "")).get(name);
  return value === "" ? null : value;
}
