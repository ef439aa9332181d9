import { useNavigate, useSearch } from "@tanstack/react-router";
import { MembersPage } from "@/features/members/members-page";
import { useProject } from "../project-context";

export function MembersRoute() {
  const navigate = useNavigate();
  const project = useProject();
  const { invite } = useSearch({ from: "/signed-in/p/$slug/members" });
  return (
    <MembersPage
      project={project}
      inviting={invite === true}
      onInvitingChanged={(inviting) =>
        void navigate({
          to: "/p/$slug/members",
          params: { slug: project.slug },
          search: inviting ? { invite: true } : {},
          replace: true,
        })
      }
      onLeft={() => void navigate({ to: "/projects" })}
    />
  );
}
