import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject, aSignIn } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { CreateTokenDialog } from "./create-token-dialog";
import { EmailBanner, UnverifiedNote } from "./email-notice";
import { PasswordCard } from "./password-card";
import { SecondFactorCard } from "./second-factor-card";
import { TokensCard } from "./tokens-card";

const { user: ada } = aSignIn();
const AT = "2026-01-15T10:00:00Z";
const CONFIG = {
  registration_open: true,
  registration: "auto",
  oidc_name: null,
  terms_url: null,
  first_run: false,
};

describe("two-factor authentication", () => {
  it("is set up with password, code and recovery codes", async () => {
    answer("get", "auth/second-factor", { enabled_at: null, recovery_codes_left: 0 });
    const started = answer("post", "auth/second-factor/enrolment", {
      secret: "JBSWY3DPEHPK3PXP",
      uri: "otpauth://totp/Edison",
      qr_svg: "<svg xmlns='http://www.w3.org/2000/svg'/>",
    });
    const confirmed = answer("post", "auth/second-factor/confirmation", {
      recovery_codes: ["aaaa-bbbb-cccc-dddd", "eeee-ffff-gggg-hhhh"],
    });
    const { user } = await renderPage(<SecondFactorCard user={ada} />);
    await user.click(await screen.findByRole("button", { name: "Set up" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText(/^Current password/), "secret{Enter}");
    expect(await within(dialog).findByRole("img", { name: /QR code/ })).toBeInTheDocument();
    expect(within(dialog).getByDisplayValue("JBSWY3DPEHPK3PXP")).toBeInTheDocument();
    await user.type(within(dialog).getByLabelText(/^Code/), "123456{Enter}");
    expect(await within(dialog).findByText("aaaa-bbbb-cccc-dddd")).toBeInTheDocument();
    expect(started[0]?.body).toEqual({ password: "secret" });
    expect(confirmed[0]?.body).toEqual({ code: "123456" });
  });

  it("names a wrong code at its field", async () => {
    answer("get", "auth/second-factor", { enabled_at: AT, recovery_codes_left: 2 });
    refuse("post", "auth/second-factor/removal", 400, {
      code: "VALIDATION_ERROR",
      details: [{ field: "code", message: "This code is wrong.", code: "wrong" }],
    });
    const { user, container } = await renderPage(<SecondFactorCard user={ada} />);
    expect(await screen.findByText(/Few recovery codes/)).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Turn off" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByLabelText(/^Current password/), "secret");
    await user.type(within(dialog).getByLabelText(/^Code/), "000000{Enter}");
    expect(await within(dialog).findByText("This code is wrong.")).toBeInTheDocument();
  });
});

describe("access tokens", () => {
  it("are limited to chosen projects and warn when they never expire", async () => {
    answer("get", "projects", { items: [aProject()], next: null, total: 1 });
    const sent = answer("post", "auth/tokens", { token: "edn_secret" }, { status: 201 });
    const { user } = await renderPage(<CreateTokenDialog open onOpenChanged={() => undefined} />);
    await user.type(screen.getByLabelText(/^Name/), "CI");
    await user.click(screen.getByRole("radio", { name: /Selected projects/ }));
    await user.click(screen.getByRole("button", { name: "Create token" }));
    expect(await screen.findByText("Choose at least one project.")).toBeInTheDocument();
    await user.click(await screen.findByRole("checkbox", { name: "Support answers" }));
    await user.click(screen.getByRole("button", { name: "Create token" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toEqual({
      name: "CI",
      scope: "read",
      expires_in_days: 90,
      project_ids: ["p1"],
    });
  });

  it("say where they work, and end together", async () => {
    const token = {
      id: "t1",
      name: "CI",
      scope: "write",
      last_four: "abcd",
      created_at: AT,
      last_used_at: AT,
      last_used_address: "192.0.2.7",
      expires_at: null,
      projects: [{ id: "p1", name: "Support answers" }],
    };
    const other = { ...token, id: "t2", name: "Laptop", projects: null };
    answer("get", "auth/tokens", { items: [token, other], next: null, total: 2 });
    const sent = answer("delete", "auth/tokens", null);
    const { user } = await renderPage(<TokensCard />);
    expect(await screen.findByText("Access to Support answers")).toBeInTheDocument();
    expect(screen.getByText("Access to all projects")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Revoke all" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Revoke all" }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });
});

describe("the account", () => {
  it("offers to end tokens with the password", async () => {
    const sent = answer("put", "auth/password", null);
    const { user } = await renderPage(<PasswordCard user={ada} />);
    await user.type(screen.getByLabelText(/^Current password/), "secret");
    await user.type(screen.getByLabelText(/^New password/), "Analytical-Engine-1843!");
    await user.type(screen.getByLabelText(/^Confirm password/), "Analytical-Engine-1843!");
    await user.click(screen.getByRole("checkbox", { name: /revoke all access tokens/ }));
    await user.click(screen.getByRole("button", { name: "Change password" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ end_tokens: true });
  });

  it("mails the link again while the address is not confirmed", async () => {
    answer("get", "auth/config", { ...CONFIG, sends_mail: true });
    const sent = answer("post", "auth/email-confirmation", null);
    const { user } = await renderPage(<EmailBanner user={{ ...ada, is_email_verified: false }} />);
    await user.click(await screen.findByRole("button", { name: "Send link" }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("says what an unverified address means where there is no mail", async () => {
    answer("get", "auth/config", { ...CONFIG, sends_mail: false });
    await renderPage(<UnverifiedNote user={{ ...ada, is_email_verified: false }} />);
    expect(await screen.findByText(/sends no email/)).toBeInTheDocument();
  });
});
