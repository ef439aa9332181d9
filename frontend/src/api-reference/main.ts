/**
 * Entry point of `/docs`: the API reference, rendered by Swagger UI. Read-only: "Try it out" is
 * off.
 */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import { prepare, type ApiDocument } from "./api-document";
import { resolveSubtree } from "./references";
import { filterOperations } from "./search";

function startSearch(show: (search: string) => void): void {
  const input = document.querySelector<HTMLInputElement>("#search");
  if (input === null) {
    return;
  }
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("input", () => {
    show(input.value.trim());
  });
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
  });
  if (input.value) {
    show(input.value.trim());
  }
}

async function start(): Promise<void> {
  const { classList } = document.documentElement;
  classList.toggle("dark-mode", classList.contains("dark"));
  const response = await fetch("/api/openapi.json");
  if (!response.ok) {
    throw new Error(`HTTP ${String(response.status)}`);
  }
  const ui = SwaggerUI({
    spec: prepare((await response.json()) as ApiDocument),
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    defaultModelRendering: "model",
    supportedSubmitMethods: [],
    validatorUrl: null,
    plugins: [() => ({ fn: { opsFilter: filterOperations, resolveSubtree } })],
  });
  startSearch((search) => {
    ui.getSystem().layoutActions.updateFilter(search || true);
  });
}

start().catch((reason: unknown) => {
  const message = document.querySelector("#reference p");
  if (message !== null) {
    const cause = reason instanceof Error ? reason.message : String(reason);
    message.textContent = `The API reference cannot be loaded (${cause}). Reload the page.`;
    message.setAttribute("role", "alert");
  }
});
