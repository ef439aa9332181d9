import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { projectChoicesQuery } from "@/api/projects";
import { SignInLinkPage } from "@/features/auth/sign-in-link-page";
import { safeNext } from "@/lib/search";

/**
 * Leads to `next`, if it is given. Otherwise users with exactly one project, such as the demo after
 * the first start, land in its playground.
 */
export function SignInRoute() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { token, next } = useSearch({ from: "/sign-in" });
  const onSignedIn = useCallback(async () => {
    if (next !== undefined) {
      router.history.replace(safeNext(next));
      return;
    }
    const projects = await queryClient.query(projectChoicesQuery).catch(() => []);
    const [first] = projects;
    await (first !== undefined && projects.length === 1
      ? navigate({ to: "/p/$slug/playground", params: { slug: first.slug }, replace: true })
      : navigate({ to: "/projects", replace: true }));
  }, [navigate, next, queryClient, router]);
  return <SignInLinkPage token={token} onSignedIn={() => void onSignedIn()} />;
}
