// Draws a moment of a hand, word for word as the server does.

const RANKS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const PIPS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const FAN = 6;

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

const caption = (text, kind = "caption num") => element("span", { class: kind }, text);
const tag = (text) => element("span", { class: "tag" }, text);
const spaced = (nodes) => nodes.filter((node) => node !== null).flatMap((node, at) => (at ? [" ", node] : [node]));
export const plain = (id) => id.replaceAll("_", " ");

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

export class Picture {
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.table = root.querySelector("#table");
  }

  part(name) { return this.root.querySelector(`[data-show="${name}"]`); }

  marks(name, moved, laid) {
    const { wild } = this.data;
    return `${wild && name[0] === wild ? "wild " : ""}${laid ? "laid " : ""}${moved ? "moved" : ""}`.trim();
  }

  group(kind, cards, moved, laid = []) {
    return element("span", { class: kind }, ...cards.map((name) => card(name, this.marks(name, name === moved, laid.includes(name)))));
  }

  draw(frame) {
    for (const seat of this.table.querySelectorAll(".seat")) this.seat(seat, Number(seat.dataset.position), frame);
    const fan = element("span", { class: "fan" }, ...frame.discard.slice(-FAN).map((name, at, all) => card(name, this.marks(name, at === all.length - 1 && name === frame.moved, false))));
    if (!frame.discard.length) fan.append(element("span", { class: "card empty", role: "img", "aria-label": "no discard" }));
    const stock = `stock, ${frame.stock} ${frame.stock === 1 ? "card" : "cards"}`;
    this.table.querySelector(".middle").replaceChildren(
      element("div", { class: "pile stock" }, element("span", { class: "card back", role: "img", "aria-label": stock }), caption(`stock ${frame.stock}`)),
      element("div", { class: "pile discard" }, fan, caption(`discards ${frame.discard.length}`)),
      ...frame.places.map(([name, cards]) => element("div", { class: "pile" }, this.group("fan", cards, null), caption(name, "caption"))));
  }

  seat(seat, position, frame) {
    const held = frame.hands[position];
    const moved = frame.position === position ? frame.moved : null;
    seat.classList.toggle("to-act", frame.to_act === position);
    seat.classList.toggle("out", !held.active);
    seat.classList.toggle("winner", frame.showdown && this.data.ending.winner === position);
    // Of two equal cards the loose one is marked.
    const melded = held.loose.includes(moved) ? null : moved;
    const row = (name, kind, text, ...groups) => (groups.length ? element(name, { class: kind }, caption(text, "caption"), ...groups) : null);
    const parts = [
      element("p", { class: "who" }, ...spaced(this.who(position, held, frame))),
      element("div", { class: "held" },
        ...held.melds.map((meld) => this.group("meld", meld, melded, held.laid_on)),
        row("span", "laid-off", "laid off", ...(held.laid_off.length ? [this.group("meld", held.laid_off, null)] : [])),
        held.loose.length ? this.group("loose", held.loose, moved) : null),
      row("div", "on-table", "on the table", ...held.table.map((meld) => this.group("meld", meld, null, held.laid_on))),
    ];
    seat.replaceChildren(...parts.filter((part) => part !== null));
  }

  who(position, held, frame) {
    const player = this.data.players[position];
    const { ending, wrong, score } = this.data;
    const points = frame.showdown && player.score !== player.score_after ? `${player.score} → ${player.score_after}` : player.score;
    return [
      element("b", {}, element("bdi", {}, player.name)),
      player.dealer ? tag("dealer") : null,
      held.active ? null : tag("out"),
      frame.showdown && ending.winner === position ? tag("won the hand") : null,
      !frame.showdown ? null : wrong.includes(position) ? tag("declared wrongly") : ending.knocker === position ? tag(ending.did) : null,
      player.score === null ? null : element("span", { class: "standing num" }, `${points} ${score.unit}`),
      element("span", { class: "worth num" }, held.throws ? `best throw leaves ${held.value}` : `deadwood ${held.value}`,
        ...(held.result ? [" ", element("b", { class: "result" }, held.result)] : [])),
    ];
  }

  describe(frame) {
    const text = this.part("text");
    text.replaceChildren();
    if (frame.position !== null) text.append(element("b", {}, element("bdi", {}, this.data.players[frame.position].name)), " ");
    text.append(frame.text);
    if (frame.fault) text.append(" ", element("span", { class: "fault" }, `played by the referee: ${plain(frame.fault)}`));
    this.part("decision").hidden = frame.position === null;
    this.part("note").replaceChildren(...(frame.note ? ["“", element("bdi", {}, frame.note), "”"] : []));
    const figures = [["Time", duration(frame.ms) + (frame.late ? " late" : "")], ["Deadwood", frame.deadwood ?? "–"], ["Choices", frame.legal.length || "–"]];
    this.part("figures").replaceChildren(...figures.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { class: "num" }, String(value)))));
    this.part("choices").replaceChildren(...frame.legal.map((id) => element("li", { class: id === frame.action ? "done" : null }, choice(id), id === frame.action ? element("span", { class: "sr" }, " (done)") : null)));
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

  // Cards move from where they were, new ones from the stock.
  glide(before) {
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
