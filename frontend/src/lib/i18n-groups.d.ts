/** A group of `locales/en.json`, or those of the first page; see `vite.config.ts`. */
declare module "virtual:texts/*" {
  export const texts: Record<string, object>;
}
