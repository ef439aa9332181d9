// Search over all sections, the menu of narrow windows, and the key "/". The index is a script, so that
// the site also works from a folder, without a server.
(function () {
  const root = document.currentScript.dataset.root;
  const input = document.querySelector("#words");
  const found = document.querySelector("#found");
  const status = found.querySelector("p");
  const list = found.querySelector("ul");
  const MOST = 20;
  const AROUND = 70;
  let loading;

  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}/search-index.js`;
      script.onload = () => resolve(window.searchEntries);
      script.onerror = reject;
      document.head.append(script);
    });
    return loading;
  }

  function rank([, page, heading, text], words) {
    const places = [
      [heading.toLowerCase(), 8],
      [page.toLowerCase(), 4],
      [text.toLowerCase(), 1],
    ];
    let sum = 0;
    for (const word of words) {
      const points = places.reduce(
        (all, [where, weight]) => all + (where.includes(word) ? weight : 0),
        0,
      );
      if (points === 0) {
        return 0;
      }
      sum += points;
    }
    return sum;
  }

  function search(entries, words) {
    return entries
      .map((entry) => ({ entry, points: rank(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points);
  }

  function excerpt(text, words) {
    const line = document.createElement("span");
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]));
    const start = Math.max(0, at - AROUND);
    const end = Math.min(text.length, at + AROUND);
    const mark = document.createElement("mark");
    mark.textContent = text.slice(at, at + words[0].length);
    const isThere = mark.textContent.toLowerCase() === words[0];
    line.append(
      (start > 0 ? "…" : "") + text.slice(start, at),
      isThere ? mark : mark.textContent,
      text.slice(at + words[0].length, end) + (end < text.length ? "…" : ""),
    );
    return line;
  }

  function item([address, page, heading, text], words) {
    const link = document.createElement("a");
    link.href = `${root}/${address}`;
    const title = document.createElement("strong");
    title.textContent = heading === page ? page : `${page}: ${heading}`;
    link.append(title, excerpt(text, words));
    const row = document.createElement("li");
    row.append(link);
    return row;
  }

  async function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      found.hidden = true;
      return;
    }
    const matches = search(await load(), words);
    list.replaceChildren(...matches.slice(0, MOST).map(({ entry }) => item(entry, words)));
    status.textContent =
      matches.length === 0
        ? "Nothing found."
        : matches.length > MOST
          ? `The first ${MOST} of ${matches.length}`
          : `${matches.length} found`;
    found.hidden = false;
  }

  function move(event) {
    const stops = [input, ...list.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement);
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at >= 0 && next && !found.hidden) {
      event.preventDefault();
      next.focus();
    }
  }

  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => void show());
  document.querySelector("#search").addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      found.hidden = true;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event);
    } else if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#search") || event.target.closest("#found a")) {
      found.hidden = true;
    }
  });

  const menu = document.querySelector("#menu");
  const pages = document.querySelector("#pages");
  menu.addEventListener("click", () => {
    const isOpen = pages.classList.toggle("open");
    menu.setAttribute("aria-expanded", String(isOpen));
  });
  const here = pages.querySelector('[aria-current="page"]');
  pages.scrollTop = here === null ? 0 : here.offsetTop - pages.clientHeight / 2;

  if (window.location.protocol === "file:") {
    // Edison itself is not there.
    document.querySelector("#edison").remove();
  }
})();
