/** A value in the part of the address that browsers keep to themselves, such as `#proof=…`. */
export function hashParam(hash: string, name: string): string | null {
  const value = new URLSearchParams(hash.replace(/^#/, "")).get(name);
  return value === "" ? null : value;
}
