import { useNavigate, useParams } from "@tanstack/react-router";
import { InvitationPage } from "@/features/auth/invitation-page";

export function InvitationRoute() {
  const navigate = useNavigate();
  const { token } = useParams({ from: "/invitations/$token" });
  return (
    <InvitationPage
      token={token}
      onJoined={(slug) => void navigate({ to: "/p/$slug", params: { slug } })}
    />
  );
}
