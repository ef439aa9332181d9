import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/**
 * sonner writes its stylesheet into the page when it is imported, which the content security
 * policy refuses. The same rules are imported as a file, so the injection is cut out.
 */
function stripSonnerInjection(): Plugin {
  return {
    name: "edison:strip-sonner-injection",
    transform(code, id) {
      if (!(id.split("?")[0] ?? "").endsWith("/sonner/dist/index.mjs")) {
        return null;
      }
      const stripped = code.replace(/^__insertCSS\(.*\);?$/m, "");
      if (stripped === code) {
        this.error("sonner no longer injects its stylesheet the way this plug-in expects");
      }
      return { code: stripped, map: null };
    },
  };
}

/** Groups of texts that are loaded with the pages of their feature instead of at the start. */
const DEFERRED_TEXTS = [
  "arena",
  "caseTags",
  "home",
  "imports",
  "optimizations",
  "passwordReset",
  "questions",
  "registry",
  "retention",
  "spendingGroups",
  "voting",
];
const TEXTS = "virtual:texts/";
const CATALOGUE = fileURLToPath(new URL("./src/locales/en.json", import.meta.url));

/**
 * Splits the catalogue, which is one file, by group: `virtual:texts/initial` is what the first page
 * loads, `virtual:texts/arena` one deferred group. Tests load all texts at once.
 */
function splitTexts(): Plugin {
  const isTest = process.env.VITEST !== undefined;
  return {
    name: "edison:split-texts",
    resolveId: (id) => (id.startsWith(TEXTS) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${TEXTS}`)) {
        return null;
      }
      this.addWatchFile(CATALOGUE);
      const wanted = id.slice(TEXTS.length + 1);
      const groups = Object.entries(JSON.parse(readFileSync(CATALOGUE, "utf8")) as object);
      const kept = groups.filter(([name]) =>
        wanted === "initial" ? isTest || !DEFERRED_TEXTS.includes(name) : name === wanted,
      );
      return `export const texts = ${JSON.stringify(Object.fromEntries(kept))};`;
    },
  };
}

const backend = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [stripSonnerInjection(), splitTexts(), react(), tailwindcss()],
  resolve: {
    alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) },
  },
  html: { cspNonce: "__CSP_NONCE__" },
  optimizeDeps: { exclude: ["sonner"] },
  build: {
    outDir: "../src/edison/app/static",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // An inlined asset is a data: address, which the content security policy refuses.
    assetsInlineLimit: 0,
    // The application, and the API reference at /docs.
    rolldownOptions: { input: ["index.html", "docs.html"] },
  },
  server: {
    proxy: { "/api": backend },
  },
  test: {
    restoreMocks: true,
    // Only how long to wait at most: a busy machine takes its time.
    testTimeout: 60_000,
    maxWorkers: "100%",
    // A page takes a second to set up, which tests of plain functions need not wait for.
    projects: [
      {
        extends: true,
        test: {
          name: "pages",
          environment: "jsdom",
          setupFiles: ["src/testing/setup.ts"],
          // Without its stylesheet, as in the built page: a toast starts at opacity 0, and a test
          // that finds it before its first effect would call it invisible.
          server: { deps: { inline: ["sonner"] } },
          // Files share loaded modules; the set-up file cleans up after each test.
          isolate: false,
          include: ["src/**/*.test.tsx", "src/**/*.dom.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "functions",
          environment: "node",
          // Functions leave nothing behind that another file could stumble over.
          isolate: false,
          include: ["src/**/*.test.ts"],
          exclude: ["src/**/*.dom.test.ts"],
        },
      },
    ],
  },
});
