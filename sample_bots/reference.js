// A bot in one file without dependencies, to show that the protocol needs no SDK.
//
//   node reference.js [--port 8001] [--host 127.0.0.1]
//
// It takes the upcard when that lowers its deadwood, throws the card that leaves the least
// deadwood and knocks as soon as it may. With ARENA_BOT_SECRET set (a whsec_… text, or two
// separated by a space) it answers signed requests only.
"use strict";

const http = require("node:http");
const crypto = require("node:crypto");

const INFO = {
  protocols: ["1.0"],
  name: "reference.js",
  author: "gin-arena",
  version: "1.0",
  games: ["gin_family"],
  max_batch: 16,
  max_concurrency: 4,
  color: "#c98a1b",
};

const MAX_BODY = 4 * 1024 * 1024;
const TOLERANCE_SECONDS = 300;
const RANKS = "A23456789TJQK";

// Cards: rank and suit as numbers, and what a loose card costs under the rules in force.

const rankOf = (card) => RANKS.indexOf(card[0]);

function valueOf(card, rules) {
  const rank = rankOf(card);
  return rank === 0 ? rules.ace_deadwood ?? 1 : Math.min(rank + 1, 10);
}

// All sets and runs in the hand. Runs of up to five cards are enough, as longer ones fall apart
// into two. With ace_mode "corner" the king is followed by the ace.
function meldsOf(cards, rules) {
  const held = new Set(cards);
  const melds = [];
  for (const rank of RANKS) {
    const same = cards.filter((card) => card[0] === rank);
    if (same.length >= 3) melds.push(same);
    if (same.length === 4) for (const out of same) melds.push(same.filter((card) => card !== out));
  }
  const last = rules.ace_mode === "corner" ? 13 : 11;
  for (const suit of "CDHS") {
    for (let first = 0; first < last; first++) {
      const run = [];
      while (run.length < 5) {
        const at = first + run.length;
        const card = RANKS[at % 13] + suit;
        if ((at > 12 && rules.ace_mode !== "corner") || !held.has(card)) break;
        run.push(card);
        if (run.length >= 3) melds.push([...run]);
      }
    }
  }
  return melds;
}

// The arrangement with the least deadwood: each meld is used or not, exhaustively. Hands are small.
function arrange(cards, rules) {
  const melds = meldsOf(cards, rules);
  const whole = cards.reduce((sum, card) => sum + valueOf(card, rules), 0);
  let best = { deadwood: whole, melds: [] };
  const used = new Set();
  const chosen = [];
  (function search(from, deadwood) {
    if (deadwood < best.deadwood) best = { deadwood, melds: chosen.map((meld) => [...meld]) };
    for (let at = from; at < melds.length; at++) {
      const meld = melds[at];
      if (meld.some((card) => used.has(card))) continue;
      meld.forEach((card) => used.add(card));
      chosen.push(meld);
      search(at + 1, deadwood - meld.reduce((sum, card) => sum + valueOf(card, rules), 0));
      chosen.pop();
      meld.forEach((card) => used.delete(card));
    }
  })(0, whole);
  return best;
}

const without = (cards, card) => cards.filter((other) => other !== card);

// The discard that leaves the least deadwood; of equals the dearest card.
function bestDiscard(cards, allowed, rules) {
  let best = null;
  for (const card of allowed) {
    const deadwood = arrange(without(cards, card), rules).deadwood;
    const value = valueOf(card, rules);
    const better =
      best === null ||
      deadwood < best.deadwood ||
      (deadwood === best.deadwood && value > best.value);
    if (better) best = { card, deadwood, value };
  }
  return best;
}

// One decision. Anything unexpected is answered with the first legal action, which is safe.
function choose(request) {
  const { phase, cards, rules, legal } = request;
  const can = (id) => legal.some((action) => action.id === id);
  const cardsOf = (kind) => legal.filter((item) => item.kind === kind).map((item) => item.card);
  if (can("draw:discard")) {
    // Is the hand with the upcard, after the best discard, better than the hand as it is?
    const now = arrange(cards, rules).deadwood;
    const taken = bestDiscard([...cards, request.upcard], cards, rules).deadwood;
    const melded = arrange([...cards, request.upcard], rules).melds.flat();
    if (taken < now && (melded.includes(request.upcard) || now - taken >= 5)) {
      return { action: "draw:discard" };
    }
    return { action: can("draw:stock") ? "draw:stock" : "pass" };
  }
  if (can("big_gin")) return { action: "big_gin" };
  const knocks = cardsOf("knock");
  if (knocks.length > 0) {
    const { card } = bestDiscard(cards, knocks, rules);
    return { action: `knock:${card}`, melds: arrange(without(cards, card), rules).melds };
  }
  if (phase === "answer_double") {
    return { action: arrange(cards, rules).deadwood <= 25 ? "accept" : "refuse" };
  }
  const discards = cardsOf("discard");
  if (phase === "discard" && discards.length > 0) {
    return { action: `discard:${bestDiscard(cards, discards, rules).card}` };
  }
  return { action: legal[0].id };
}

// Signatures as in Standard Webhooks: HMAC-SHA256 over "id.timestamp.body".

const KEYS = (process.env.ARENA_BOT_SECRET ?? "")
  .split(" ")
  .filter(Boolean)
  .map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
const seen = new Map();

function refusal(headers, body) {
  const id = headers["webhook-id"];
  const stamp = headers["webhook-timestamp"];
  const given = headers["webhook-signature"];
  if (!id || !stamp || !given) return "unsigned";
  const now = Date.now() / 1000;
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(now - Number(stamp)) > TOLERANCE_SECONDS) {
    return "webhook-timestamp is more than 300 seconds off";
  }
  const signatures = given.split(" ").filter((text) => text.startsWith("v1,"));
  const good = KEYS.some((key) => {
    const wanted = crypto.createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest();
    return signatures.some((text) => {
      const got = Buffer.from(text.slice(3), "base64");
      return got.length === wanted.length && crypto.timingSafeEqual(got, wanted);
    });
  });
  if (!good) return "webhook-signature does not fit";
  for (const [old, until] of seen) {
    if (until > now) break;
    seen.delete(old);
  }
  if (seen.has(id)) return "webhook-id was used before";
  seen.set(id, now + 2 * TOLERANCE_SECONDS);
  return null;
}

// HTTP

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function parse(body) {
  try {
    const value = JSON.parse(body.toString("utf8"));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch (error) {
    throw new HttpError(400, `the body is not JSON: ${error.message}`);
  }
  throw new HttpError(400, "the body must be a JSON object");
}

function answer(method, path, headers, body) {
  const methods = { "/": ["GET", "HEAD"], "/start": ["POST"], "/act": ["POST"], "/end": ["POST"] };
  const allowed = Object.hasOwn(methods, path) ? methods[path] : null;
  if (allowed === null) throw new HttpError(404, "no such path");
  if (!allowed.includes(method)) throw new HttpError(405, `use ${allowed[0]} for this path`);
  if (path === "/") return INFO;
  const reason = KEYS.length > 0 ? refusal(headers, body) : null;
  if (reason !== null) throw new HttpError(401, reason);
  const message = parse(body);
  if (path !== "/act") return { ok: true };
  const { requests } = message;
  const fine = (one) => one && typeof one.request_id === "string" && Array.isArray(one.legal);
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every(fine)) {
    throw new HttpError(400, "requests must be a list of decision requests");
  }
  return { answers: requests.map((one) => ({ id: one.request_id, ...choose(one) })) };
}

const server = http.createServer((request, response) => {
  const parts = [];
  let size = 0;
  request.on("data", (part) => {
    size += part.length;
    if (size <= MAX_BODY) parts.push(part);
  });
  request.on("end", () => {
    let status = 200;
    let reply;
    try {
      if (size > MAX_BODY) throw new HttpError(413, `the body is larger than ${MAX_BODY} bytes`);
      const path = request.url.split("?")[0];
      reply = answer(request.method, path, request.headers, Buffer.concat(parts));
    } catch (error) {
      status = error.status ?? 500;
      if (status === 500) console.error(error);
      reply = { ok: false, status, error: status === 500 ? "the bot failed" : error.message };
    }
    const bytes = Buffer.from(JSON.stringify(reply));
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": bytes.length,
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
  });
});

// Node closes idle connections after five seconds, perhaps just when the next request is sent.
server.keepAliveTimeout = 600_000;
server.headersTimeout = 610_000;

function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 && at + 1 < process.argv.length ? process.argv[at + 1] : otherwise;
}

function main() {
  if (KEYS.some((key) => key.length < 24)) {
    console.error("error: ARENA_BOT_SECRET must be whsec_ followed by base64 of 24 bytes or more");
    process.exit(2);
  }
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      server.close(() => process.exit(0));
      server.closeIdleConnections();
      setTimeout(() => process.exit(0), 700);
    });
  }
  server.on("error", (error) => {
    console.error(`error: ${error.message}`);
    process.exit(2);
  });
  const host = option("host", "127.0.0.1");
  server.listen(Number(option("port", "0")), host, () => {
    const name = host.includes(":") ? `[${host}]` : host;
    console.log(`listening on http://${name}:${server.address().port}`);
  });
}

if (require.main === module) main();

module.exports = { arrange, choose };
