import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useKeptFocus } from "@/components/ui/keep-focus";
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
        if (document.activeElement === null || document.activeElement === document.body) {
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
  useKeptFocus();
  return (
    <>
      <Outlet />
      <RouteAnnouncer />
      <Toaster />
    </>
  );
}
