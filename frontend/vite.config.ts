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

const backend = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [stripSonnerInjection(), react(), tailwindcss()],
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
