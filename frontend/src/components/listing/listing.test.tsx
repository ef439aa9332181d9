import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { cursorPaging, flattenPages } from "@/api/pages";
import type { Page } from "@/api/types";
import { SearchBox } from "@/components/search-box";
import { isFiltered } from "@/lib/search";
import { renderPage } from "@/testing/render";
import { NoMatch } from "./no-match";
import { PagedList } from "./paged-list";

type Read = (cursor: string | null) => Promise<Page<string>>;

const page = (items: string[], next: string | null): Page<string> => ({ items, next, total: 3 });

function Names({ read }: { read: Read }) {
  const list = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ["names"],
      queryFn: ({ pageParam }) => read(pageParam),
      ...cursorPaging,
      select: flattenPages,
    }),
  );
  return (
    <PagedList query={list} empty={<p>No items</p>}>
      {(names) => names.map((name) => <p key={name}>{name}</p>)}
    </PagedList>
  );
}

describe("a list of pages", () => {
  it("is read again after it was refused", async () => {
    const read = vi.fn<Read>();
    read.mockRejectedValueOnce(new Error("refused"));
    read.mockResolvedValueOnce({ items: [], next: null, total: 0 });
    const { user } = await renderPage(<Names read={read} />);
    expect(screen.getByRole("status")).toHaveTextContent("Loading");
    await user.click(await screen.findByRole("button", { name: "Retry" }));
    expect(await screen.findByText("No items")).toBeVisible();
  });

  it("keeps what it shows when reading on fails, and tries that page again", async () => {
    const read = vi.fn<Read>();
    read.mockResolvedValueOnce(page(["Ada", "Grace"], "2"));
    read.mockRejectedValueOnce(new Error("refused"));
    read.mockResolvedValueOnce(page(["Mary"], null));
    const { user } = await renderPage(<Names read={read} />);
    await user.click(await screen.findByRole("button", { name: "Load more" }));
    expect(await screen.findByRole("alert")).toBeVisible();
    expect(screen.getByText("Ada")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await screen.findByText("Mary")).toBeVisible();
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    expect(read.mock.calls).toEqual([[null], ["2"], ["2"]]);
  });
});

function Filtered() {
  const [filters, setFilters] = useState<{ q?: string | undefined }>({});
  return (
    <>
      <SearchBox
        label="Search names"
        delay={0}
        value={filters.q}
        onValueChanged={(q) => setFilters({ q })}
      />
      {isFiltered(filters) ? <NoMatch onFiltersCleared={() => setFilters({})} /> : <p>All</p>}
    </>
  );
}

describe("the search of a list", () => {
  it("is emptied with the filters", async () => {
    const user = userEvent.setup();
    render(<Filtered />);
    const box = screen.getByLabelText("Search names");
    await user.type(box, "zoe");
    await user.click(await screen.findByRole("button", { name: "Clear filters" }));
    expect(box).toHaveValue("");
    expect(await screen.findByText("All")).toBeVisible();
    await user.type(box, "ada");
    expect(await screen.findByText("No results")).toBeVisible();
    expect(box).toHaveValue("ada");
  });

  it("keeps what is typed while an earlier search arrives", async () => {
    const user = userEvent.setup();
    const onValueChanged = vi.fn();
    const search = (value: string | undefined) => (
      <SearchBox label="Search names" delay={0} value={value} onValueChanged={onValueChanged} />
    );
    const { rerender } = render(search(undefined));
    const box = screen.getByLabelText("Search names");
    await user.type(box, "a");
    await waitFor(() => expect(onValueChanged).toHaveBeenLastCalledWith("a"));
    await user.type(box, "d");
    await waitFor(() => expect(onValueChanged).toHaveBeenLastCalledWith("ad"));
    rerender(search("a"));
    expect(box).toHaveValue("ad");
    rerender(search("ad"));
    rerender(search("grace"));
    expect(box).toHaveValue("grace");
  });
});
