// @ts-check
"use strict";
// Games and their addresses: `#game=2.1.1&ply=47`, `#players=0-3`, `#games-of=518`, `#start=518`; before each, on a page of several
// events, `event=2&`. The games of a page are one JSON text, packed; a live page fetches them when they are asked for.

/** The games that run, by name. @type {Map<string, Game>} */
const runningGames = new Map();

/** @type {Map<string, Promise<Game[]>>} */
const unpacked = new Map();

/** @param {string} prefix */
const textOfGames = (prefix) => /** @type {HTMLElement | null} */ (document.querySelector(`script[data-games="${prefix}"]`));

/** The games of an event, in the order of their names. @param {string} prefix @returns {Promise<Game[]>} */
async function gamesOf(prefix) {
  const text = textOfGames(prefix);
  if (!text) return [];
  const known = unpacked.get(prefix);
  if (known) return known;
  const games = unpack(text.textContent || "");
  unpacked.set(prefix, games);
  return games;
}

/** @param {string} coded @returns {Promise<Game[]>} */
async function unpack(coded) {
  const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const columns = /** @type {Record<string, unknown[]>} */ (await new Response(stream).json());
  const game = (/** @type {unknown} */ _, /** @type {number} */ place) => Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, values[place]]));
  return /** @type {Game[]} */ ((columns.round || []).map(game)).sort(byName);
}

/** By the numbers of their names: `17.2`, and `2.1.1` of an event in rounds. @param {Game} one @param {Game} other */
function byName(one, other) {
  const [a, b] = [one, other].map((game) => game.round.split(".").map(Number));
  const place = a.findIndex((number, place) => number !== b[place]);
  return place < 0 ? 0 : a[place] - (b[place] ?? -1);
}

let listsAsked = 0;

/** The list of a live page, which is fetched again if it does not have what is asked for. @returns {Promise<boolean>} */
async function fetchGames() {
  const list = document.getElementById("list");
  if (!list) return false;
  const own = ++listsAsked;
  const answer = await fetch("games.html");
  const text = await answer.text();
  // What was asked for last is newest, whichever comes first.
  if (!answer.ok || own !== listsAsked) return answer.ok;
  // The server has escaped all that is foreign in it, and no script in it would run.
  list.innerHTML = text;
  unpacked.delete("");
  startFilters(list);
  return true;
}

/** One game of a live page. @param {string} round @returns {Promise<Game | null>} */
async function fetchGame(round) {
  if (!document.getElementById("list")) return null;
  const answer = await fetch("games/" + encodeURIComponent(round) + ".json");
  return answer.ok ? answer.json() : null;
}

// ---- the list of games ----

/** @param {string} prefix */
const tableOfGames = (prefix) => /** @type {HTMLTableElement | null} */ (document.querySelector(`table.games[data-prefix="${prefix}"]`));

/** @param {HTMLTableElement} table */
const rowsOf = (table) => /** @type {HTMLTableRowElement[]} */ ([...table.tBodies[0].rows]);

/** @param {HTMLTableElement} table @param {(row: HTMLTableRowElement) => boolean} wanted @param {string} words @param {boolean} stays */
function filterGames(table, wanted, words, stays = false) {
  const note = /** @type {HTMLElement} */ (table.closest(".block")?.querySelector(".filter"));
  for (const row of rowsOf(table)) row.hidden = !wanted(row);
  note.hidden = words === "";
  /** @type {HTMLElement} */ (note.firstElementChild).textContent = words;
  if (words !== "" && !stays) note.scrollIntoView({ block: "center" });
}

/** @param {ParentNode} inside */
function startFilters(inside) {
  for (const table of inside.querySelectorAll("table.games")) {
    const all = table.closest(".block")?.querySelector(".filter button");
    all?.addEventListener("click", () => filterGames(/** @type {HTMLTableElement} */ (table), () => true, ""));
  }
}

// ---- addresses ----

/** Opens a game, or the first of those that are listed. @param {string} prefix @param {string} scope @param {string | null} round @param {number | null} ply */
async function openGame(prefix, scope, round, ply) {
  const asked = location.hash;
  const running = prefix + scope === "" && round !== null ? runningGames.get(round) : undefined;
  let games = running ? [...runningGames.values()] : await gamesOf(prefix);
  const found = running || games.find((game) => game.round === round) || (round !== null && scope === "" && (await fetchGame(round)));
  const table = tableOfGames(prefix);
  if (scope !== "" && table) {
    const listed = new Set(rowsOf(table).filter((row) => !row.hidden).map((row) => row.cells[0].textContent));
    games = games.filter((game) => listed.has(game.round));
  }
  const game = found || (round === null ? games[0] : undefined);
  // Meanwhile something else may have been asked for.
  if (!game || location.hash !== asked) return;
  openViewer().open(game, games, prefix + scope, ply);
  for (const row of document.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
  document.getElementById(prefix + "game=" + game.round)?.classList.add("chosen");
}

/** The list with the games of a start or of two engines, or with all. @param {string} prefix @param {string | null} start @param {string | null} players @param {boolean} stays */
function showList(prefix, start, players, stays) {
  const table = tableOfGames(prefix);
  if (!table) return;
  if (start) {
    const number = rowsOf(table).find((row) => row.dataset.s === start)?.cells[1].textContent;
    filterGames(table, (row) => row.dataset.s === start, number ? "Games from start number " + number + ":" : "Games from one start:", stays);
  } else if (players) {
    const both = [players, players.split("-").reverse().join("-")];
    filterGames(table, (row) => both.includes(row.dataset.p || ""), "Games of these two engines:", stays);
  } else if (!stays) {
    table.scrollIntoView();
  }
}

async function follow() {
  const asked = location.hash;
  const words = new URLSearchParams(asked.slice(1));
  const event = words.get("event");
  const prefix = event ? "event=" + event + "&" : "";
  const [round, players, start] = ["game", "players", "games-of"].map((name) => words.get(name));
  let scope = "";
  if (players || start || words.has("games")) {
    // What is known of the list is shown at once, and the games that have ended since as they come.
    const fetched = round && tableOfGames(prefix) ? null : fetchGames();
    if (!tableOfGames(prefix)) await fetched;
    if (location.hash !== asked || !tableOfGames(prefix)) return;
    scope = start ? "games-of=" + start + "&" : players ? "players=" + players + "&" : "";
    showList(prefix, start, players, false);
    fetched?.then((came) => { if (came && location.hash === asked) showList(prefix, start, players, true); });
  }
  const engine = words.get("engine");
  if (engine) return openViewer().follow(engine);
  viewer?.follow("");
  if (round || players) return openGame(prefix, scope, round, words.has("ply") ? Number(words.get("ply")) : null);
  viewer?.close();
  if (!words.has("start")) return;
  /** @type {HTMLDetailsElement} */ (document.getElementById(prefix + "positions")).open = true;
  document.getElementById(prefix + "start=" + words.get("start"))?.scrollIntoView({ block: "center" });
}
