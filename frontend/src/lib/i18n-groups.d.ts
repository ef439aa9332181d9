/** All texts in tests, none otherwise; see `vite.config.ts`. */
declare module "virtual:texts/initial" {
  export const texts: Record<string, object>;
}
