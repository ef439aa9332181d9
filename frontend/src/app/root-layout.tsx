import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Toaster } from "@/components/ui/toast";

/** Announces navigation to screen readers and moves the focus to the new page. */
function RouteAnnouncer() {
  const router = useRouter();
  const [title, setTitle] = useState("");
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) {
          return;
        }
        setTitle(document.title);
        // A field of the new page, or a dialog on it, may have taken the focus already.
        if (!document.activeElement?.closest("#main-content, [role=dialog]")) {
          document.getElementById("main-content")?.focus({ preventScroll: true });
        }
      }),
    [router],
  );
  return (
    <div role="status" aria-live="polite" className="sr-only">
      {title}
    </div>
  );
}

export function RootLayout() {
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
      <Toaster />
    </>
  );
}
