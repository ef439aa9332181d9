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

const TEXTS = "virtual:texts/";
const SOURCES = fileURLToPath(new URL("./src/", import.meta.url));
const PLURAL = /_(zero|one|two|few|many|other)$/;

interface Texts {
  [key: string]: string | Texts;
}

function keysOf(texts: Texts, path = ""): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === "string"
      ? [path + name.replace(PLURAL, "")]
      : keysOf(value, `${path}${name}.`),
  );
}

/** The groups of the texts that a module names, by a whole key or by the beginning of one. */
function groupsNamedIn(code: string, keys: readonly string[]): Set<string> {
  const groups = new Set<string>();
  if (!/\bt\(|i18n|ParseKeys/.test(code)) {
    // Permissions and fields of forms may have the same names as texts.
    return groups;
  }
  for (const [, , named = "", end] of code.matchAll(/(["'`])([a-z]\w*\.[\w.-]*)(\$\{|\1)/g)) {
    const isBeginning = end === "${" || named.endsWith(".");
    if (keys.some((key) => (isBeginning ? key.startsWith(named) : key === named))) {
      groups.add(named.slice(0, named.indexOf(".")));
    }
  }
  return groups;
}

/**
 * Loads the texts of the catalogue by group, the first part of their keys, with the modules that name
 * them. So each page loads its own, and the first page few. Tests load all texts at once.
 */
function loadTexts(): Plugin {
  const isTest = process.env.VITEST !== undefined;
  const read = () => JSON.parse(readFileSync(`${SOURCES}locales/en.json`, "utf8")) as Texts;
  let keys: string[] = [];
  return {
    name: "edison:load-texts",
    enforce: "pre",
    buildStart() {
      keys = keysOf(read());
    },
    resolveId: (id) => (id.startsWith(TEXTS) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${TEXTS}`)) {
        return null;
      }
      this.addWatchFile(`${SOURCES}locales/en.json`);
      const group = id.slice(TEXTS.length + 1);
      if (group === "initial") {
        return `export const texts = ${JSON.stringify(isTest ? read() : {})};`;
      }
      return (
        `import { i18n } from ${JSON.stringify(`${SOURCES}lib/i18n.ts`)};` +
        `i18n.addResourceBundle("en", "translation", ${JSON.stringify({ [group]: read()[group] })}, true);`
      );
    },
    transform(code, id) {
      if (isTest || !id.startsWith(SOURCES) || !/\.tsx?$/.test(id)) {
        return null;
      }
      const groups = [...groupsNamedIn(code, keys)];
      const imports = groups.map((group) => `import "${TEXTS}${group}";`).join("");
      return { code: imports + code, map: null };
    },
  };
}

const backend = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [stripSonnerInjection(), loadTexts(), react(), tailwindcss()],
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
    proxy: { "/api": backend, "/docs/": backend },
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
