import type { components } from "@/api/schema.gen";

type About = components["schemas"]["AboutRead"];

/** What a bug report needs, without names, queries or anything secret. */
export function describeInstallation(about: About, now = new Date()): string {
  const { userAgent, language } = navigator;
  return [
    `Edison ${about.version}`,
    `Database: ${about.database}`,
    `Page: ${window.location.pathname}`,
    `Browser: ${userAgent}`,
    `Window: ${window.innerWidth} × ${window.innerHeight}`,
    `Language: ${language}`,
    `Time zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    `Time: ${now.toISOString()}`,
  ].join("\n");
}
