import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aMember, aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import type { Role } from "@/lib/permissions";
import { MembersPage } from "./members-page";

const OWNER = aMember({
  id: "m2",
  name: "Grace Hopper",
  email: "grace@example.org",
  role: "OWNER",
});
const SELF = aMember({ id: "m3", name: "Me", email: "me@example.org", is_self: true });

async function openMembers(role: Role, inviting = false) {
  answer("get", "projects/support-answers/members", {
    items: [aMember(), OWNER, { ...SELF, role }],
    next: null,
    total: 3,
  });
  answer("get", "projects/support-answers/invitations", { items: [], next: null, total: 0 });
  const page = await renderPage(
    <MembersPage
      project={aProject({ role })}
      inviting={inviting}
      onInvitingChanged={vi.fn()}
      onLeft={vi.fn()}
    />,
  );
  await screen.findByText("Grace Hopper");
  return page;
}

describe("members", () => {
  it("shows a viewer who is there but offers only to leave", async () => {
    await openMembers("VIEWER");
    expect(screen.queryByRole("button", { name: "Invite people" })).not.toBeInTheDocument();
    expect(screen.queryByRole("combobox")).not.toBeInTheDocument();
    expect(screen.getAllByRole("button", { name: /^Actions for/ })).toHaveLength(1);
  });

  it("keeps owners out of an admin's reach", async () => {
    await openMembers("ADMIN");
    expect(screen.getByRole("combobox", { name: "Role of Ada Lovelace" })).toBeInTheDocument();
    expect(
      screen.queryByRole("combobox", { name: "Role of Grace Hopper" }),
    ).not.toBeInTheDocument();
    expect(
      screen.queryByRole("button", { name: "Actions for Grace Hopper" }),
    ).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });

  it("asks before it removes a member and shows why it could not", async () => {
    const { user } = await openMembers("OWNER");
    refuse("delete", "projects/support-answers/members/m2", 409, { code: "LAST_OWNER" });
    await user.click(screen.getByRole("button", { name: "Actions for Grace Hopper" }));
    await user.click(screen.getByRole("menuitem", { name: "Remove from project" }));
    const dialog = await screen.findByRole("dialog", { name: "Remove Grace Hopper?" });
    await user.click(within(dialog).getByRole("button", { name: "Remove" }));
    expect(await within(dialog).findByText(/needs an owner/)).toBeInTheDocument();
  });

  it("passes ownership on only after the name of the project was typed", async () => {
    const { user } = await openMembers("OWNER");
    const sent = answer("post", "projects/support-answers/ownership", aMember({ role: "OWNER" }));
    answer("get", "projects/support-answers", aProject({ role: "ADMIN" }));
    await user.click(screen.getByRole("button", { name: "Actions for Ada Lovelace" }));
    await user.click(screen.getByRole("menuitem", { name: "Transfer ownership" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Transfer ownership" }));
    expect(sent).toHaveLength(0);
    await user.type(within(dialog).getByRole("textbox"), "Support answers");
    await user.click(within(dialog).getByRole("button", { name: "Transfer ownership" }));
    await waitFor(() => expect(sent[0]?.body).toEqual({ member_id: "m1" }));
  });

  it("shows the link of a new invitation once", async () => {
    const { user } = await openMembers("ADMIN", true);
    const sent = answer(
      "post",
      "projects/support-answers/invitations",
      {
        status: "invited",
        member: null,
        invitation: null,
        link: "http://x/invitations/t",
        emailed: false,
      },
      { status: 201 },
    );
    await user.click(screen.getByRole("radio", { name: /By link/ }));
    await user.click(screen.getByRole("button", { name: "Create link" }));
    expect(await screen.findByLabelText(/^Invitation link/)).toHaveValue("http://x/invitations/t");
    expect(sent[0]?.body).toEqual({ email: null, role: "EDITOR", message: null });
  });
});
