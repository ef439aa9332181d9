// Runs before the first paint so that the page never flashes in the wrong theme.
(function () {
  let chosen = null;
  try {
    chosen = localStorage.getItem("edison-theme");
  } catch {
    // Storage can be blocked; the system preference still applies.
  }
  const dark =
    chosen === "dark" ||
    (chosen !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
