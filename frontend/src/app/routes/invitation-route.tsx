import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { InvitationPage } from "@/features/auth/invitation-page";
import { hashParam } from "@/lib/hash";

export function InvitationRoute() {
  const navigate = useNavigate();
  const { token } = useParams({ from: "/invitations/$token" });
  const proof = useLocation({ select: ({ hash }) => hashParam(hash, "proof") });
  return (
    <InvitationPage
      token={token}
      proof={proof}
      onJoined={(slug) => void navigate({ to: "/p/$slug", params: { slug } })}
    />
  );
}
