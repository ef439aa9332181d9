/** Direction: app → features → components | api | lib. Features are strangers to each other. */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "features-do-not-know-app",
      severity: "error",
      from: { path: "^src/(features|components|api|lib|locales)/" },
      to: { path: "^src/app/" },
    },
    {
      name: "features-are-strangers",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/", pathNot: "^src/features/$1/" },
    },
    {
      name: "shared-code-does-not-know-features",
      severity: "error",
      from: { path: "^src/(components|api|lib|locales)/" },
      to: { path: "^src/features/" },
    },
    {
      name: "primitives-carry-no-data",
      severity: "error",
      from: { path: "^src/components/ui/" },
      to: { path: "^src/(api|components/(?!ui/))" },
    },
    {
      name: "api-and-lib-are-below-components",
      severity: "error",
      from: { path: "^src/(api|lib)/" },
      to: { path: "^src/components/" },
    },
    {
      name: "lib-does-not-know-api",
      severity: "error",
      from: { path: "^src/lib/", pathNot: "\\.test\\." },
      to: { path: "^src/api/" },
    },
    {
      name: "testing-only-in-tests",
      severity: "error",
      from: { path: "^src/", pathNot: "(\\.test\\.tsx?$|^src/testing/)" },
      to: { path: "^src/testing/" },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/", pathNot: "(\\.test\\.tsx?$|\\.d\\.ts$)" },
      to: {},
    },
    {
      name: "kebab-case-files",
      severity: "error",
      from: { path: "^src/.*[A-Z_]" },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(node_modules|src/api/schema\\.gen\\.ts)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
