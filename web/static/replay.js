// Steps through a hand on the page. Without this file the same links load one move each.

import { Picture } from "./replay-draw.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const flat = matchMedia("(max-height: 30rem) and (orientation: landscape)");
const SWIPE_PX = 40;
const TAP_PX = 10;
const END_MS = 3500; // how long the end of a hand is shown before the next one

class Replay {
  constructor(root, data) {
    this.root = root;
    this.frames = data.frames;
    this.next = data.after;
    this.picture = new Picture(root, data);
    this.at = Number(root.dataset.move);
    this.pace = 900;
    this.slider = this.control("to");
    root.querySelectorAll(".controls a").forEach((link) => this.press(link));
    root.querySelectorAll("[hidden]:not([data-show])").forEach((node) => { node.hidden = false; });
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("input", (event) => this.input(event));
    // What the mouse presses does not take the focus, so that the space bar still plays.
    root.addEventListener("mousedown", (event) => { if (event.target.closest("button, .go-on")) event.preventDefault(); });
    document.addEventListener("pointerdown", () => { this.byPointer = true; }, true);
    document.addEventListener("keydown", (event) => { this.byPointer = false; this.key(event); });
    this.watchTable(this.picture.table);
    this.chart = root.querySelector(".deadwood .lines");
    if (this.chart) this.watchChart(this.chart);
    this.follow();
    if (flat.matches && scrollY === 0) root.querySelector(".stage").scrollIntoView();
    const going = /^#play=(\d+)$/.exec(location.hash);
    if (going) this.goOn(Number(going[1]));
  }

  control(name) { return this.root.querySelector(`[data-go="${name}"]`); }

  get last() { return this.frames.length - 1; }

  // With a script, what leads to another move is a button: the space bar presses it too.
  press(link) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = link.className;
    button.dataset.go = link.dataset.go;
    button.setAttribute("aria-label", link.getAttribute("aria-label"));
    button.append(...link.childNodes);
    link.replaceWith(button);
  }

  click(event) {
    const node = event.target.closest("button[data-go], a[data-move]");
    if (!node || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const go = node.dataset.go;
    event.preventDefault();
    if (go === "play") return this.toggle();
    if (go === "share") return this.share(node);
    this.jump({ first: 0, back: this.at - 1, on: this.at + 1, last: this.last }[go] ?? Number(node.dataset.move));
  }

  input(event) {
    const { go } = event.target.dataset;
    if (go === "to") this.jump(Number(event.target.value));
    if (go === "speed") {
      this.pace = Number(event.target.value);
      if (this.timer) this.wait();
      if (this.byPointer) event.target.blur();
    }
  }

  key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.closest("select, textarea, input:not([type=range]):not([type=checkbox])")) return;
    if (event.key === " ") {
      // A button that was reached with the keyboard is pressed.
      if (target.closest("button, summary, [type=checkbox]")) return;
      event.preventDefault();
      return this.toggle();
    }
    const other = { p: "prev", n: "next" }[event.key.toLowerCase()];
    if (other) return document.querySelector(`.pager [rel="${other}"]`)?.click();
    if (target.closest("[type=range]")) return;
    const on = target === this.chart ? { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key] : undefined;
    const to = on ? this.at + on : { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.jump(to);
  }

  // A swipe turns the page, a tap on one half goes that way.
  watchTable(table) {
    let from = null;
    table.classList.add("touched");
    table.addEventListener("pointerdown", (event) => {
      from = event.pointerType === "mouse" || !event.isPrimary ? null : { x: event.clientX, y: event.clientY };
    });
    table.addEventListener("pointercancel", () => { from = null; });
    table.addEventListener("pointerup", (event) => {
      if (!from || !event.isPrimary) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      from = null;
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 1.5 * Math.abs(y)) return this.jump(this.at + (x < 0 ? 1 : -1));
      if (Math.hypot(x, y) > TAP_PX) return;
      const box = table.getBoundingClientRect();
      this.jump(this.at + (event.clientX < box.left + box.width / 2 ? -1 : 1));
    });
  }

  watchChart(chart) {
    const to = (event) => {
      const box = chart.getBoundingClientRect();
      this.jump(Math.round(((event.clientX - box.left) / box.width) * this.last));
    };
    chart.addEventListener("pointerdown", (event) => { chart.setPointerCapture(event.pointerId); to(event); });
    chart.addEventListener("pointermove", (event) => { if (event.buttons) to(event); });
    const said = chart.getAttribute("aria-label");
    for (const [name, value] of Object.entries({ tabindex: 0, role: "slider", "aria-label": `Move on the graph. ${said}`, "aria-valuemin": 0, "aria-valuemax": this.last })) chart.setAttribute(name, value);
    this.markChart();
  }

  markChart() {
    if (!this.chart) return;
    const unit = this.chart.viewBox.baseVal.width / this.last;
    this.chart.querySelector(".now").setAttribute("d", `M${this.at * unit} 0V${this.chart.getAttribute("height")}`);
    this.chart.setAttribute("aria-valuenow", this.at);
    this.chart.setAttribute("aria-valuetext", `${this.at}: ${this.frames[this.at].text}`);
  }

  toggle() { if (this.timer) this.pause(); else this.play(); }

  play() {
    if (this.at >= this.last) this.show(0);
    this.mark(true);
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    const further = this.at >= this.last && this.next && this.control("further")?.checked;
    this.timer = setTimeout(() => this.step(further), further ? Math.max(END_MS, this.pace) : this.pace);
  }

  step(further) {
    if (further) return location.replace(`${this.next}#play=${this.pace}`);
    if (this.at >= this.last) return this.pause();
    this.show(this.at + 1);
    this.wait();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.mark(false);
    this.address();
  }

  // A hand that was reached by playing on goes on playing.
  goOn(pace) {
    const speed = this.control("speed");
    if ([...speed.options].some((option) => Number(option.value) === pace)) {
      speed.value = String(pace);
      this.pace = pace;
    }
    const further = this.control("further");
    if (further) further.checked = true;
    this.play();
  }

  mark(playing) {
    const button = this.control("play");
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  async share(button) {
    const said = button.textContent;
    this.address();
    try { await navigator.clipboard.writeText(location.href); button.textContent = "Copied"; }
    catch { button.textContent = "Copy it from the address bar"; }
    setTimeout(() => { button.textContent = said; }, 2000);
  }

  jump(number) {
    if (this.timer) this.pause();
    this.show(number);
    this.address();
  }

  // Some browsers refuse to be told too often; the next time will do.
  address() {
    try { history.replaceState(null, "", `?move=${this.at}`); } catch { /* see above */ }
  }

  show(number) {
    this.at = Math.max(0, Math.min(number, this.last));
    const frame = this.frames[this.at];
    const before = calm.matches || this.pace < 300 ? new Map() : this.picture.places();
    this.picture.draw(frame);
    if (before.size) this.picture.glide(before);
    this.picture.describe(frame);
    this.slider.value = this.at;
    this.picture.part("at").textContent = this.at;
    this.picture.part("over").hidden = this.at < this.last;
    this.markChart();
    this.follow();
  }

  // The list shows the move that the table shows, without moving the page.
  follow() {
    const list = this.root.querySelector(".moves ol");
    for (const link of list.querySelectorAll("a")) {
      if (Number(link.dataset.move) !== this.at) { link.removeAttribute("aria-current"); continue; }
      link.setAttribute("aria-current", "step");
      const [row, box] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
      if (row.top < box.top || row.bottom > box.bottom) list.scrollTop += row.top - box.top - (box.height - row.height) / 2;
    }
  }
}

const root = document.querySelector(".replay");
if (root) {
  const answer = await fetch(root.dataset.twin);
  if (answer.ok) new Replay(root, await answer.json());
}
