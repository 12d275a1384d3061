// Dates in the reader's zone, and pages that stay current. Everything works without this file.

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

// What is near is told by the hour, what is not by the day; the whole moment is in the title.
function told(when, form) {
  if (form === "day") return day.format(when);
  if (form !== "near") return zone.format(when);
  return day.format(when) === day.format(new Date()) ? hour.format(when) : day.format(when);
}

function localise(root) {
  for (const node of root.querySelectorAll("time[datetime]")) {
    const when = new Date(node.dateTime);
    if (Number.isNaN(when.getTime())) continue;
    node.title = node.dataset.form ? zone.format(when) : node.textContent;
    node.textContent = told(when, node.dataset.form);
  }
}

localise(document);

// A crosstable that needs no box to scroll in has the header of its columns stay with the page.
function fitted() {
  for (const box of document.querySelectorAll(".cross-box")) {
    box.classList.toggle("fits", box.firstElementChild.offsetWidth <= box.clientWidth);
  }
}
addEventListener("resize", fitted);
document.addEventListener("arena:update", fitted);
fitted();

// --- live regions ---------------------------------------------------------------------------

const POLL_MS = 5000;
const HIDDEN_MS = 60000;

class Live {
  constructor({ tag, page, events }) {
    this.tag = tag;
    this.page = page;
    this.events = events;
    this.failures = 0;
    this.open();
    document.addEventListener("visibilitychange", () => this.seen());
  }

  open() {
    const query = new URLSearchParams({ page: this.page, tag: this.tag });
    this.source = new EventSource(`${this.events}?${query}`);
    this.source.onmessage = (event) => this.show(JSON.parse(event.data));
    this.source.onopen = () => { this.failures = 0; };
    this.source.onerror = () => this.failed();
  }

  // The browser reconnects by itself unless the server refused; then ask now and then instead.
  failed() {
    this.failures += 1;
    if (this.source.readyState === EventSource.CLOSED || this.failures > 5) {
      this.source.close();
      this.source = null;
      this.poll();
    }
  }

  async poll() {
    clearTimeout(this.timer);
    if (!document.hidden) {
      try {
        const joint = this.page.includes("?") ? "&" : "?";
        const answer = await fetch(`${this.page}${joint}live=1`, {
          headers: { "If-None-Match": `"${this.tag}"` }, cache: "no-store",
        });
        if (answer.status === 200) this.show(await answer.json());
      } catch { /* the next attempt may succeed */ }
    }
    this.timer = setTimeout(() => this.poll(), POLL_MS * (0.8 + 0.4 * Math.random()));
  }

  // A page that nobody looks at gives its stream back after a while.
  seen() {
    clearTimeout(this.hiding);
    if (document.hidden) {
      this.hiding = setTimeout(() => { this.source?.close(); this.away = true; }, HIDDEN_MS);
    } else if (this.away) {
      this.away = false;
      if (this.source) this.open();
    }
  }

  show({ tag, regions }) {
    this.tag = tag;
    const before = states();
    for (const [name, html] of Object.entries(regions)) {
      const region = document.querySelector(`[data-live="${CSS.escape(name)}"]`);
      if (region) replace(region, html);
    }
    document.dispatchEvent(new CustomEvent("arena:update"));
    if (before !== states()) freshen();
  }
}

// What the tournament and the match are at: running, paused, finished…
function states() {
  return [...document.querySelectorAll(".facts .badge")].map((node) => node.textContent).join();
}

// What only this reader may do is no part of what all readers are sent, so it is asked for apart.
async function freshen() {
  if (!document.querySelector("[data-mine]")) return;
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-mine]")) {
    const now = found.querySelector(`[data-mine="${CSS.escape(part.dataset.mine)}"]`);
    part.replaceChildren(...(now ? now.childNodes : []));
  }
}

// Keeps the reader's place: sideways scrolling, and what has the focus.
function replace(region, html) {
  const boxes = [...region.querySelectorAll(".scroll, .bracket-box")].map((box) => box.scrollLeft);
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute("href");
  const order = focused ? [...region.querySelectorAll("[tabindex]")].indexOf(focused) : -1;
  const before = new Set([...region.querySelectorAll("tbody tr, .matches li")].map((row) => row.textContent));
  region.innerHTML = html;
  localise(region);
  region.querySelectorAll(".scroll, .bracket-box").forEach((box, at) => { box.scrollLeft = boxes[at] ?? 0; });
  for (const row of region.querySelectorAll("tbody tr, .matches li")) {
    if (before.size && !before.has(row.textContent)) row.classList.add("fresh");
  }
  if (href) region.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
  else if (order >= 0) region.querySelectorAll("[tabindex]")[order]?.focus({ preventScroll: true });
}

if (document.body.dataset.tag && "EventSource" in window) new Live(document.body.dataset);

// --- the form of a new tournament -----------------------------------------------------------

// Only what means something in the chosen format is shown and sent.
const format = document.querySelector("#f-format");
function fit() {
  for (const part of document.querySelectorAll("[data-formats]")) {
    part.hidden = !part.dataset.formats.split(" ").includes(format.value);
    for (const input of part.querySelectorAll("input")) input.disabled = part.hidden;
  }
}
if (format) {
  format.addEventListener("change", fit);
  fit();
}

// --- small helps ----------------------------------------------------------------------------

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const said = button.textContent;
    try { await navigator.clipboard.writeText(button.dataset.copy); button.textContent = "Copied"; }
    catch { button.textContent = "Select and copy it"; }
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}

// Regions that change without a new result, such as the steps of a check in progress.
const polled = document.querySelector("[data-poll]");
async function again() {
  const answer = await fetch(`${location.pathname}?live=1`, { cache: "no-store" });
  if (!answer.ok) return;
  const { regions } = await answer.json();
  const html = regions[polled.dataset.live];
  replace(polled, html);
  if (polled.querySelector("progress")) setTimeout(again, Number(polled.dataset.poll));
}
if (polled) setTimeout(again, Number(polled.dataset.poll));
