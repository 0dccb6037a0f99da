// @ts-check
"use strict";
// What is seen before games: starts on boards, moments in the time of whoever looks, the start of a round for a hall; and
// what is known of the engines.

/** The starts below are drawn, and moments are said in the time of here. @param {ParentNode} inside */
function drawBefore(inside) {
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (inside.querySelectorAll("figure.start"))) {
    if (!figure.querySelector("svg")) figure.prepend(startBoard(figure.dataset.fen || ""));
  }
  for (const cell of inside.querySelectorAll("#state, .times td, .announced span, p.warning")) sayMoments(cell);
}

/** Moments in a text, which has them in UTC, are said in the time of here. @param {Element} element */
function sayMoments(element) {
  const parts = (element.textContent || "").split(/(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)/);
  if (parts.length < 2) return;
  element.replaceChildren(...parts.map((part, place) => {
    if (place % 2 === 0) return part;
    const moment = part.replace(" ", "T").replace(" UTC", "Z");
    const year = new Date(moment).getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    const time = /** @type {HTMLTimeElement} */ (html("time", "", new Date(moment).toLocaleString([], { weekday: "short", day: "numeric", month: "short", year, hour: "2-digit", minute: "2-digit", timeZoneName: "short" })));
    time.dateTime = moment;
    return time;
  }));
}

/** There may be many: at the begin they have their room, and are drawn when what comes first has been. @param {string} fen */
function startBoard(fen) {
  const board = svg("svg", { viewBox: "0 0 360 360", class: "board", role: "img", "aria-label": "Start " + fen.split(" ")[0] });
  const draw = () => drawBoard(board, positionOf(fen), {});
  if (document.documentElement.dataset.ready === "yes") draw();
  else firstPicture.then(draw);
  return board;
}

/** A start of a game that runs, with the names that follow from it. @param {Game} game */
function startFigure(game) {
  const ranks = game.fen.split(" ")[0].split("/");
  const [white, black] = [ranks[7], ranks[0].toUpperCase()];
  const names = [white === black ? white : white + "/" + black];
  if (game.number === 0 && white === black) names.push("960 on DGT's clocks");
  const caption = html("figcaption", "", html("b", "", game.number === null ? "" : String(game.number)), ...names.flatMap((name) => [" ", html("span", "", name)]));
  return html("figure", "start", startBoard(game.fen), caption);
}

/** The page at `/start`: the starts of the games that run, or else of those that come; most of a round have one. */
function showHall() {
  const root = document.documentElement;
  if (!root.classList.contains("hall")) return;
  const known = document.getElementById("hall");
  const hall = known || html("div", "starts");
  hall.id = "hall";
  if (!known) document.getElementById("boards")?.before(hall);
  const running = [...runningGames.values()].filter((game) => game.end === null);
  const coming = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#tables figure.start")]);
  const fens = new Set(running.length ? running.map((game) => game.fen) : coming.map((figure) => figure.dataset.fen || ""));
  const shown = [...fens].slice(0, 12);
  if (hall.dataset.shown === shown.join()) return;
  hall.dataset.shown = shown.join();
  hall.style.setProperty("--across", String(Math.max(1, Math.min(shown.length, Math.ceil(Math.sqrt(shown.length * innerWidth / innerHeight))))));
  hall.replaceChildren(...shown.map((fen) => {
    const game = running.find((one) => one.fen === fen);
    if (game) return startFigure(game);
    const words = coming.find((one) => one.dataset.fen === fen)?.querySelector("figcaption");
    return html("figure", "start", startBoard(fen), ...(words ? [words.cloneNode(true)] : []));
  }));
}

/** What is known of an engine: version, limits, options, machine. @param {string} name */
function aboutEngine(name) {
  const rows = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll("table.engines tbody tr")]);
  const row = rows.find((one) => one.cells[0].textContent === name || name.startsWith(one.cells[0].textContent + " #"));
  if (!row) return name;
  return [name, ...[...row.cells].slice(1), document.querySelector(".machine")].map((one) => (typeof one === "string" ? one : one?.textContent || "").trim()).filter(Boolean).join("\n");
}

/** Time until the moment that the event waits for. */
function countDown() {
  const time = document.querySelector("#state time");
  const known = document.getElementById("left");
  const left = time ? Date.parse(time.getAttribute("datetime") || "") - Date.now() : -1;
  if (left < 0) return known?.remove();
  const shown = known || html("p", "");
  const days = left > 48 * 3600000 ? Math.floor(left / 86400000) : 0;
  const clock = shownClock(1000 * Math.ceil(left / 1000 - 86400 * days)).replace(/\.\d$/, "");
  // Beside days the first figure is hours.
  const rest = days && clock.length < 6 ? "0:" + clock.padStart(5, "0") : clock;
  Object.assign(shown, { id: "left", ariaHidden: "true", textContent: (days ? days + " days " : "") + rest });
  if (!known) document.querySelector("body > header")?.append(shown);
}

/** While numbers of games differ, points alone say little: engines are ranked by percentage, with the points behind it. */
function rankByPercentage() {
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("#tables [aria-label=Standings] table"));
  const over = /** @type {HTMLElement | null} */ (document.getElementById("phase"))?.dataset.phase === "over";
  if (!table || !table.tHead || over || document.querySelector("#tables [aria-label=Rounds]")) return;
  const heads = [...table.tHead.rows[0].cells];
  if (heads.some((head) => head.textContent === "%")) return;
  const [points, games] = ["points", "games"].map((word) => heads.findIndex((head) => head.textContent === word));
  const rows = [...table.tBodies[0].rows];
  const value = (/** @type {HTMLTableRowElement} */ row, /** @type {number} */ column) => Number(row.cells[column].textContent);
  if (points < 0 || games < 0 || new Set(rows.map((row) => value(row, games))).size < 2) return;
  const shares = new Map(rows.map((row) => [row, value(row, games) ? 100 * value(row, points) / value(row, games) : -1]));
  const share = (/** @type {HTMLTableRowElement} */ row) => shares.get(row) || 0;
  const leader = rows[0];
  rows.sort((one, other) => share(other) - share(one) || value(other, games) - value(one, games));
  const ranks = rows.map((row) => row.cells[0].textContent + "/" + value(row, games));
  rows.forEach((row, place) => {
    row.cells[0].textContent = place > 0 && share(rows[place - 1]) === share(row) && ranks[place - 1] === ranks[place] ? rows[place - 1].cells[0].textContent : String(place + 1);
    const cell = html("td", "", share(row) < 0 ? "–" : share(row).toFixed(1));
    row.cells[points].before(cell);
  });
  heads[points].before(html("th", "", "%"));
  table.tBodies[0].append(...rows);
  // Why engines with equal points stand as they do is said of the order by points.
  for (const why of table.closest(".block")?.querySelectorAll(":scope > p:not(.source), details") || []) why.remove();
  table.closest(".wide")?.after(html("p", "source", "Ranked by percentage, because the numbers of games differ." + (rows[0] === leader ? "" : " " + leader.cells[1].textContent + " leads by points.")));
}
