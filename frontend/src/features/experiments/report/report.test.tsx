import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { aProject } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { aFinishedExperiment, aReport } from "@/testing/iteration-summaries";
import { axeViolations, renderPage } from "@/testing/render";
import { aComparison, aMean } from "@/testing/results-builders";
import { ComparePage } from "../compare/compare-page";
import { ReportPage } from "./report-page";

const project = aProject();
const PATH = `projects/${project.slug}/experiments`;

describe("the report", () => {
  it("says that there is none", async () => {
    const problem = { code: "NOT_FOUND", message: "There is no such experiment." };
    refuse("get", `${PATH}/e1/report`, 404, problem);
    await renderPage(<ReportPage project={project} experimentId="e1" />);
    expect(await screen.findByText("There is no such experiment.")).toBeVisible();
  });

  it("says what was gained and takes it away in every form", async () => {
    answer("get", `${PATH}/e1/report`, aReport());
    answer("get", `${PATH}/e1`, aFinishedExperiment());
    const { user, container } = await renderPage(
      <ReportPage project={project} experimentId="e1" />,
    );
    expect(await screen.findByText("Nothing more is gained.")).toBeVisible();
    expect(screen.getByText(/v2 looked better by 1.4 on the training cases/)).toBeVisible();
    expect(screen.getByRole("table", { name: "First, best and latest" })).toHaveTextContent(
      "Best, Latest",
    );
    expect(screen.getByRole("table", { name: "Cost and tokens" })).toHaveTextContent("69.2%");
    expect(screen.getByRole("table", { name: "Change by criterion" })).toHaveTextContent("+3.0");
    expect(screen.getByText("Mark v2 as the production version.")).toBeVisible();
    expect(screen.getByRole("table", { name: "Suggestions and decisions" })).toHaveTextContent(
      "by ada@example.org",
    );
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Export" }));
    const links = screen.getAllByRole("menuitem").map((link) => link.getAttribute("href"));
    const bundle = `/api/v1/${PATH.replace(/experiments$/, "export")}?kind=experiment&id=e1`;
    expect(links).toEqual([
      ...["pdf", "md", "csv", "txt"].map(
        (format) => `/api/v1/${PATH}/e1/report/export?format=${format}`,
      ),
      bundle,
    ]);
  });
});

describe("two experiments", () => {
  it("are compared in words, with what else differs", async () => {
    const side = (id: string, name: string, mean: number) => ({
      summary: aFinishedExperiment({ id, name }),
      criteria: [{ key: "s0.0", name: "Tone", weight: 1, mean }],
      variants: [],
      trend: aReport().trend,
    });
    const other = side("e2", "Letters", 0.5);
    answer("get", PATH, { items: [other.summary], next: null, total: 1 });
    answer("get", `${PATH}/e1/compare/e2`, {
      left: side("e1", "Parcels", 0.8),
      right: other,
      verdict: aComparison({ difference: aMean(-0.3), verdict: "worse" }),
      basis: "holdout",
      differences: ["Different judges."],
    });
    const { container } = await renderPage(
      <ComparePage project={project} experimentId="e1" otherId="e2" onOtherChosen={vi.fn()} />,
    );
    expect(
      await screen.findByText("The best version of Letters is worse than that of Parcels."),
    ).toBeVisible();
    expect(screen.getByText("Different judges.")).toBeVisible();
    expect(screen.getByRole("table", { name: "By criterion" })).toHaveTextContent("−3.0");
    expect(await axeViolations(container)).toEqual([]);
  });
});
