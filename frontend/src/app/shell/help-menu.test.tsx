import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Explained } from "@/components/ui/explained";
import { PageHeader } from "@/components/ui/page-header";
import { GuideContext } from "@/lib/guides";
import { answer } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { HelpMenu } from "./help-menu";

const hrefOf = (name: string) => screen.getByRole("menuitem", { name }).getAttribute("href");

it("leads to the documentation and copies what a bug report needs", async () => {
  answer("get", "about", { version: "1.2.3", database: "postgresql" });
  const { user } = await renderPage(
    <GuideContext value="runs">
      <PageHeader title="Runs" description="Prompts on cases." />
      <HelpMenu />
    </GuideContext>,
  );
  expect(screen.getByRole("link", { name: "Learn more" })).toHaveAttribute(
    "href",
    "/docs/runs.html",
  );
  await user.click(screen.getByRole("button", { name: "Help" }));
  expect(await screen.findByText("Edison 1.2.3")).toBeVisible();
  expect(hrefOf("Guide to this page")).toBe("/docs/runs.html");
  expect(hrefOf("Documentation")).toBe("/docs/");
  expect(hrefOf("What’s new")).toBe("/docs/changelog.html");
  expect(await axeViolations()).toEqual([]);
  await user.click(screen.getByRole("menuitem", { name: "Copy diagnostics" }));
  const copied = (await navigator.clipboard.readText()).split("\n");
  expect(copied.slice(0, 3)).toEqual(["Edison 1.2.3", "Database: postgresql", "Page: /"]);
  expect(copied.map((line) => line.split(" ")[0])).toEqual([
    "Edison",
    "Database:",
    "Page:",
    "Browser:",
    "Window:",
    "Language:",
    "Time",
    "Time:",
  ]);
});

it("explains statistical words to the keyboard", async () => {
  const { user } = await renderPage(<Explained text="With 95% intervals" />);
  await user.tab();
  expect(screen.getByRole("button", { name: "95% intervals" })).toHaveFocus();
  expect(await screen.findByRole("tooltip")).toHaveTextContent(/range in which the true value/);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
});
