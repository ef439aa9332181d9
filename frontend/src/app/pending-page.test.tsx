import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aProject } from "@/testing/builders";
import { renderPage } from "@/testing/render";
import { PendingPage } from "./pending-page";
import { ProjectContext } from "./project-context";

describe("a page that is not loaded yet", () => {
  it("has a frame of its own before the project's frame is there, and none in it", async () => {
    const { unmount } = await renderPage(<PendingPage />);
    expect(screen.getByRole("main")).toBeVisible();
    unmount();
    await renderPage(
      <ProjectContext value={aProject()}>
        <PendingPage />
      </ProjectContext>,
    );
    expect(screen.getByRole("status")).toBeInTheDocument();
    expect(screen.queryByRole("main")).toBeNull();
  });
});
