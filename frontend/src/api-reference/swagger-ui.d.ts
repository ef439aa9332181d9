/** swagger-ui-dist has no types of its own; this is the part the reference page uses. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export interface System {
    getSystem(): { layoutActions: { updateFilter(filter: string | true): void } };
  }
  function SwaggerUI(options: Record<string, unknown>): System;
  export { SwaggerUI as default };
}
