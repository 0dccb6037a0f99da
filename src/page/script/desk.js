// @ts-check
"use strict";
// The organiser's desk: what changes the event is asked of the server, which does it as the command line does.

/** What can be decided, and what must be said of it. @type {[string, string, [string, string, string][]][]} */
const DECISIONS = [
  ["announce", "Announce something to the viewers", [["words", "Announcement", "text"]]],
  ["result", "Change a result", [["game", "Game", "game"], ["result", "Result", "1-0 0-1 1/2-1/2 0-0 1/2-0 0-1/2"]]],
  ["forfeit", "Let a side lose a game", [["game", "Game", "game"], ["loser", "Who loses", "white black"]]],
  ["replay", "Play a game again", [["game", "Game", "game"]]],
  ["withdraw", "Take an engine out", [["engine", "Engine", "engine"]]],
  ["add", "Let an engine enter late", [["engine", "Last engine of the event file", "text"]]],
  ["replace", "Go on with another build", [["engine", "Engine", "engine"]]],
  ["extend", "Add rounds", [["rounds", "How many", "number"]]],
  ["bid", "Enter an operator's bid", [["engine", "Engine", "engine"], ["percent", "Percent of White's time for Black", "number"]]],
  ["purge", "Play again what a worker played", [["worker", "Worker", "text"]]],
  ["undo", "Take a decision back", [["decision", "Number in the book", "number"]]],
];

function openDesk() {
  const box = html("section", "block span desk");
  box.append(html("h3", "", "The organiser's desk"));
  box.setAttribute("aria-label", "The organiser's desk");
  document.querySelector("#content")?.prepend(box);
  document.querySelector("footer p")?.replaceChildren("Made by arbiter960. This page changes the event.");
  const state = html("p", "run", "");
  const answer = html("div", "answer");
  for (const told of [state, answer]) told.setAttribute("role", "status");
  const games = html("datalist", "");
  games.id = "desk-games";
  /** Consequences that are shown, with what would be written. @type {Record<string, unknown> | null} */
  let shown = null;
  /** The last order that was given, and how many are not answered. @type {Promise<unknown>} */
  let last = Promise.resolve();
  let unanswered = 0;

  /** @param {string} words @param {() => void} does */
  function button(words, does) {
    const made = /** @type {HTMLButtonElement} */ (html("button", "", words));
    made.type = "button";
    made.addEventListener("click", does);
    return made;
  }

  /** @param {string} words @param {HTMLElement} input */
  const field = (words, input) => html("label", "", html("span", "", words), input);

  /** @param {string} type @param {string} name */
  function input(type, name) {
    const made = /** @type {HTMLInputElement} */ (html("input", ""));
    Object.assign(made, { type, name, required: true, autocomplete: "off", maxLength: 300 });
    if (type === "number") made.min = "1";
    return made;
  }

  /** @param {string} name @param {[string, string][]} choices */
  function choice(name, choices) {
    const made = /** @type {HTMLSelectElement} */ (html("select", ""));
    made.name = name;
    made.append(...choices.map(([value, words]) => new Option(words, value)));
    return made;
  }

  /** What the server answers; null if it refuses, which is said. @param {string} address @param {string} body @param {HTMLElement | null} where */
  async function send(address, body, where) {
    const sent = fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const read = sent.then(async (got) => ({ status: got.status, text: await got.text() }));
    const { status, text } = await read.catch(() => ({ status: 0, text: "The run cannot be reached." }));
    if (status === 200) return text;
    if (status === 401) close();
    if (where?.isConnected) where.textContent = text;
    else say("refused", text.trim());
    return null;
  }

  /** The same, after what was asked before: no order is dropped. @param {string} address @param {string} body @param {HTMLElement | null} where */
  function ask(address, body, where = null) {
    unanswered += 1;
    const answered = last.then(() => send(address, body, where)).finally(() => unanswered -= 1);
    last = answered;
    return answered;
  }

  /** @param {string} kind @param {string} words @param {(string | Node)[]} more */
  function say(kind, words, ...more) {
    answer.className = "answer " + kind;
    answer.replaceChildren(html("p", "", words), ...more);
  }

  const author = input("text", "author");
  author.value = localStorage.getItem("author") || "";
  author.addEventListener("change", () => localStorage.setItem("author", author.value));

  /** @param {Record<string, unknown>} what @param {HTMLElement | null} where */
  async function order(what, where = null) {
    const text = await ask("/desk", JSON.stringify({ author: author.value || "the desk", reason: "at the desk", ...what }), where);
    return text === null ? null : JSON.parse(text);
  }

  /** @param {Record<string, unknown>} control */
  async function control(control) {
    if (!author.reportValidity()) return;
    const told = await order({ control });
    if (told) say("done", told.words);
    renew();
  }

  // ---- what the run is told ----

  const lanes = input("number", "games");
  const pause = button("Pause", () => control({ control: pause.textContent === "Pause" ? "pause" : "resume" }));
  const run = html("div", "buttons", pause, field("Games at once", lanes),
    button("Set", () => { if (lanes.reportValidity()) control({ control: "concurrency", games: Number(lanes.value) }); }),
    button("Stop after the round", () => control({ control: "stop", when: "after-round" })),
    button("Stop after the running pairs", () => control({ control: "stop", when: "after-pairs" })));

  // ---- decisions ----

  const act = choice("act", DECISIONS.map(([name, words]) => [name, words]));
  const details = html("div", "details");
  const reason = input("text", "reason");
  const form = /** @type {HTMLFormElement} */ (html("form", "", field("Decision", act), details, field("Reason", reason),
    html("button", "main", "What follows?")));

  function showDetails() {
    const engines = [...document.querySelectorAll("table.engines tbody th")].map((head) => head.textContent || "");
    const parts = DECISIONS.find(([name]) => name === act.value)?.[2] || [];
    details.replaceChildren(...parts.map(([name, words, kind]) => {
      if (kind === "engine") return field(words, choice(name, engines.map((engine) => [engine, engine])));
      if (kind.includes(" ")) return field(words, choice(name, kind.split(" ").map((value) => [value, value])));
      const made = input(kind === "number" ? "number" : "text", name);
      if (kind === "game") made.setAttribute("list", "desk-games");
      return field(words, made);
    }));
  }

  /** @param {Record<string, unknown>} asked @param {{ words: string, consequences: string[], book: number }} told */
  function preview(asked, told) {
    shown = { ...asked, book: told.book };
    const write = button("Write it", () => {
      write.disabled = true;
      decide(shown || {});
    });
    const lines = html("ul", "", ...told.consequences.map((line) => html("li", "", line)));
    say("shown", "To be decided: " + told.words + ".", lines, html("div", "buttons", write, button("Leave it", () => say("", ""))));
    write.focus();
  }

  /** Shows what follows, or writes it after that. @param {Record<string, unknown>} asked */
  async function decide(asked) {
    const told = await order(asked);
    if (!told) return;
    if (told.decision === undefined) return preview(asked, told);
    say("done", "Decision " + told.decision + ": " + told.words + ".");
    [reason.value, shown] = ["", null];
    showDetails();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!author.reportValidity()) return;
    const said = [...details.querySelectorAll("input, select")].map((one) => {
      const { name, type, value } = /** @type {HTMLInputElement} */ (one);
      return [name, type === "number" ? Number(value) : value];
    });
    decide({ reason: reason.value, decide: { act: act.value, ...Object.fromEntries(said) } });
  });
  act.addEventListener("change", showDetails);

  // ---- the door ----

  const token = input("password", "token");
  const door = /** @type {HTMLFormElement} */ (html("form", "", field("Token, as the run has printed it", token), html("button", "main", "Open the desk")));
  door.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(token.value);
  });

  /** @param {string} word */
  async function enter(word) {
    if (await ask("/desk/enter", word.trim()) !== null) renew();
  }

  function close() {
    box.replaceChildren(box.children[0], door, answer);
  }

  /** What the run does now; the desk is shown once the server says it. */
  async function renew() {
    const told = unanswered ? null : await order({ control: { control: "status" } }, state);
    if (!told) return;
    if (!run.isConnected) {
      say("", "");
      box.replaceChildren(box.children[0], state, field("Your name, for the book", author), run, form, answer, games);
      showDetails();
    }
    const { paused, concurrency, running } = told.status;
    pause.textContent = paused ? "Go on" : "Pause";
    if (document.activeElement !== lanes) lanes.value = String(concurrency);
    state.textContent = (paused ? "Paused. " : "") + concurrency + (concurrency === 1 ? " game" : " games") + " at once; pairs that run: " + (running.length || "none") + ".";
    const names = [...running.map((/** @type {{ round: string }} */ pair) => pair.round), ...[...document.querySelectorAll(".results td:first-child")].map((cell) => cell.textContent)];
    games.replaceChildren(...[...new Set(names)].map((name) => new Option(name, name)));
  }

  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  close();
  // No history keeps it.
  if (given) history.replaceState(null, "", location.pathname);
  if (given) enter(given);
  return { renew };
}
