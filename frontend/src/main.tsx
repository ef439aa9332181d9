import "@/lib/zod-jitless";
import "@/lib/nonce";
import "./styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSignedOut } from "@/api/client";
import { createQueryClient } from "@/api/query-client";
import { meQuery } from "@/api/session";
import { createAppRouter } from "@/app/router";
import { loadTexts } from "@/lib/i18n";
import { language } from "@/lib/locale";
import { watchTheme } from "@/lib/theme";

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);

// The session ended while a page was open: sign in again and return to it.
let leaving = false;
onSignedOut(() => {
  if (leaving || queryClient.getQueryData(meQuery.queryKey) === undefined) {
    return;
  }
  leaving = true;
  const next = router.state.location.href;
  void router.navigate({ to: "/login", search: { next }, ignoreBlocker: true }).then(() => {
    leaving = false;
    queryClient.clear();
  });
});

watchTheme();
document.documentElement.lang = language;

const root = document.getElementById("root");
if (root === null) {
  throw new Error("index.html has no #root");
}
const page = createRoot(root);
void loadTexts().then(() =>
  page.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
