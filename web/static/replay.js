// Steps through a hand on the page. Without this file the same links load one move each.

const RANKS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const PIPS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const FAN = 6;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

function card(name, extra = "") {
  const joker = name === "JK";
  const suit = joker ? "joker" : SUITS[name[1]];
  const label = (joker ? "joker" : `${RANKS[name[0]]} of ${suit}`) + (extra.includes("wild") ? ", wild" : "");
  const rank = joker ? "★" : name[0] === "T" ? "10" : name[0];
  const face = element("span", { "aria-hidden": "true" }, element("b", { class: name[0] === "T" ? "ten" : null }, rank), element("i", {}, joker ? "" : PIPS[name[1]]));
  return element("span", { class: `card ${suit} ${extra}`.trim(), role: "img", "aria-label": label, "data-card": name }, face);
}

let wild = null; // the rank that stands for any other
const marks = (name, moved) => `${wild && name[0] === wild ? "wild " : ""}${moved ? "moved" : ""}`.trim();
const group = (kind, cards, moved) => element("span", { class: kind }, ...cards.map((name) => card(name, marks(name, name === moved))));
const caption = (text, kind = "caption num") => element("span", { class: kind }, text);
const plain = (id) => id.replaceAll("_", " ");

function cardText(name) {
  return name === "JK" ? "★" : (name[0] === "T" ? "10" : name[0]) + PIPS[name[1]];
}

// The same words as the server's for actions that could have been taken.
function choice(id) {
  const [kind, arg = ""] = [id.split(":")[0], id.split(":").slice(1).join(":")];
  const cards = (arg.split(":")[0].match(/../g) ?? []).map(cardText).join(" ");
  switch (kind) {
    case "draw": return arg === "stock" ? "draws from the stock" : arg === "under" ? "takes the discard of the player before last" : "takes the upcard from the discard pile";
    case "take": return `takes ${arg} ${arg === "1" ? "card" : "cards"} from the discard pile`;
    case "meld": return `lays down ${cards}`;
    case "add": return `adds ${cards} to a meld on the table`;
    case "discard": return `throws ${cards}`;
    case "knock": return `knocks, throwing ${cards}`;
    case "declare": return `declares, finishing with ${cards}`;
    case "big_gin": return "goes big gin";
    case "double": return "offers to double";
    case "accept": return "accepts the double";
    case "refuse": return "refuses the double";
    case "drop": return "drops out of the hand";
    case "pass": return "passes";
    default: return plain(id);
  }
}

function duration(ms) {
  if (ms === null) return "–";
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

class Replay {
  constructor(root, data) {
    this.root = root;
    this.frames = data.frames;
    this.players = data.players;
    wild = data.wild;
    this.at = Number(root.dataset.move);
    this.pace = 900;
    this.table = root.querySelector("#table");
    this.slider = root.querySelector('[data-go="to"]');
    root.querySelectorAll("[hidden]:not([data-show])").forEach((node) => { node.hidden = false; });
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("input", (event) => this.input(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  click(event) {
    const node = event.target.closest("[data-go], [data-move]");
    if (!node || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const go = node.dataset.go;
    if (node.tagName === "A") event.preventDefault();
    if (go === "play") return this.toggle();
    if (go === "share") return this.share(node);
    if (node.tagName !== "A") return;
    this.pause();
    this.show({ first: 0, back: this.at - 1, on: this.at + 1, last: this.frames.length - 1 }[go] ?? Number(node.dataset.move));
  }

  input(event) {
    if (event.target.dataset.go === "to") { this.pause(); this.show(Number(event.target.value)); }
    if (event.target.dataset.go === "speed") {
      this.pace = Number(event.target.value);
      if (this.timer) { this.pause(); this.play(); }
    }
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.frames.length - 1 }[event.key];
    if (to !== undefined) { event.preventDefault(); this.pause(); this.show(to); }
    const other = { p: "prev", n: "next" }[event.key.toLowerCase()];
    if (other) document.querySelector(`.pager [rel="${other}"]`)?.click();
    if (event.key === " " && !event.target.closest("a, button, summary")) { event.preventDefault(); this.toggle(); }
  }

  toggle() { if (this.timer) this.pause(); else this.play(); }

  play() {
    if (this.at >= this.frames.length - 1) this.show(0);
    this.timer = setInterval(() => {
      if (this.at >= this.frames.length - 1) this.pause();
      else this.show(this.at + 1);
    }, this.pace);
    this.mark(true);
  }

  pause() { clearInterval(this.timer); this.timer = null; this.mark(false); }

  mark(playing) {
    const button = this.root.querySelector('[data-go="play"]');
    button.classList.toggle("playing", playing);
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  async share(button) {
    const said = button.textContent;
    try { await navigator.clipboard.writeText(location.href); button.textContent = "Copied"; }
    catch { button.textContent = "Copy it from the address bar"; }
    setTimeout(() => { button.textContent = said; }, 2000);
  }

  show(number) {
    this.at = Math.max(0, Math.min(number, this.frames.length - 1));
    const frame = this.frames[this.at];
    const before = this.places();
    this.draw(frame);
    this.glide(before);
    this.describe(frame);
    this.slider.value = this.at;
    this.root.querySelector('[data-show="at"]').textContent = this.at;
    const last = this.frames.length - 1;
    this.root.querySelector('[data-show="over"]').hidden = this.at < last;
    const links = { first: 0, back: Math.max(0, this.at - 1), on: Math.min(last, this.at + 1), last };
    for (const [go, to] of Object.entries(links)) this.root.querySelector(`[data-go="${go}"]`).href = `?move=${to}`;
    for (const link of this.root.querySelectorAll(".moves a")) {
      if (Number(link.dataset.move) === this.at) {
        link.setAttribute("aria-current", "step");
        const list = link.closest("ol");
        const offset = link.offsetTop - list.offsetTop;
        if (offset < list.scrollTop || offset > list.scrollTop + list.clientHeight - 40) list.scrollTop = offset - list.clientHeight / 2;
      } else link.removeAttribute("aria-current");
    }
    history.replaceState(null, "", `?move=${this.at}`);
  }

  draw(frame) {
    for (const seat of this.table.querySelectorAll(".seat")) {
      const position = Number(seat.dataset.position);
      const held = frame.hands[position];
      const player = this.players[position];
      const moved = frame.position === position ? frame.moved : null;
      seat.classList.toggle("to-act", frame.to_act === position);
      seat.classList.toggle("out", !held.active);
      const who = element("p", { class: "who" },
        element("b", {}, element("bdi", {}, player.name)),
        player.dealer ? element("span", { class: "tag" }, "dealer") : null,
        held.active ? null : element("span", { class: "tag" }, "out"),
        element("span", { class: "worth num" }, `deadwood ${held.value}`));
      const cards = element("div", { class: "held" },
        ...held.melds.map((meld) => group("meld", meld, moved)),
        held.loose.length ? group("loose", held.loose, moved) : null);
      const table = held.table.length
        ? element("div", { class: "on-table" }, caption("on the table", "caption"), ...held.table.map((meld) => group("meld", meld, null)))
        : null;
      seat.replaceChildren(who, cards, ...(table ? [table] : []));
    }
    const fan = element("span", { class: "fan" }, ...frame.discard.slice(-FAN).map((name, at, all) => card(name, marks(name, at === all.length - 1 && name === frame.moved))));
    if (!frame.discard.length) fan.append(element("span", { class: "card empty", role: "img", "aria-label": "no discard" }));
    this.table.querySelector(".middle").replaceChildren(
      element("div", { class: "pile stock" }, element("span", { class: "card back", role: "img", "aria-label": `stock, ${frame.stock} cards` }), caption(`stock ${frame.stock}`)),
      element("div", { class: "pile discard" }, fan, caption(`discards ${frame.discard.length}`)),
      ...frame.places.map(([name, cards]) => element("div", { class: "pile" }, group("fan", cards, null), caption(name, "caption"))));
  }

  describe(frame) {
    const text = this.root.querySelector('[data-show="text"]');
    text.replaceChildren();
    if (frame.position !== null) text.append(element("b", {}, element("bdi", {}, this.players[frame.position].name)), " ");
    text.append(frame.text);
    if (frame.fault) text.append(" ", element("span", { class: "fault" }, `played by the referee: ${plain(frame.fault)}`));
    this.root.querySelector('[data-show="note"]').replaceChildren(...(frame.note ? ["“", element("bdi", {}, frame.note), "”"] : []));
    const figures = [["Time", duration(frame.ms) + (frame.late ? " late" : "")], ["Deadwood", frame.before === null ? "–" : `${frame.before} → ${frame.after}`], ["Choices", frame.legal.length || "–"]];
    this.root.querySelector('[data-show="figures"]').replaceChildren(...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { class: "num" }, String(value)))));
    this.root.querySelector('[data-show="choices"]').replaceChildren(...frame.legal.map((id) => element("li", { class: id === frame.action ? "done" : null }, choice(id), id === frame.action ? element("span", { class: "sr" }, " (done)") : null)));
  }

  // Where every card lies now; two equal cards are told apart by their order.
  places() {
    const found = new Map();
    for (const node of this.table.querySelectorAll("[data-card]")) {
      let key = node.dataset.card;
      while (found.has(key)) key += "'";
      found.set(key, node.getBoundingClientRect());
    }
    return found;
  }

  glide(before) {
    if (calm.matches || this.pace < 300 || !before.size) return;
    const stock = this.table.querySelector(".stock .card").getBoundingClientRect();
    const seen = new Set();
    for (const node of this.table.querySelectorAll("[data-card]")) {
      let key = node.dataset.card;
      while (seen.has(key)) key += "'";
      seen.add(key);
      const now = node.getBoundingClientRect();
      const was = before.get(key) ?? stock;
      const [x, y] = [was.left - now.left, was.top - now.top];
      if (Math.abs(x) + Math.abs(y) < 1) continue;
      node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: 260, easing: "cubic-bezier(.2,.7,.3,1)" });
    }
  }
}

const root = document.querySelector(".replay");
if (root) {
  const answer = await fetch(root.dataset.twin);
  if (answer.ok) {
    const replay = new Replay(root, await answer.json());
    replay.table.querySelectorAll(".card").forEach((node) => node.classList.remove("moved"));
    replay.draw(replay.frames[replay.at]);
  }
}
