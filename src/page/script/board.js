// @ts-check
"use strict";
// Positions and boards: a game is replayed from its moves, and drawn. The rules of chess are the program's; a move comes
// with its squares. Texts of engines are only ever set as text.

/**
 * @typedef {{ round: string, number: number | null, playoff?: string | null, players: [string, string], result: string | null, end: string | null, fen: string,
 *   book: number, clock: boolean, moves: string, evaluations: (number | null)[], depths: (number | null)[], times: (number | null)[],
 *   speeds: (number | null)[], lines?: (string | null)[], nodes?: (number | null)[], tbhits?: (number | null)[], said?: Said | null, clocks?: (number | null)[], since?: number,
 *   nearing?: { draw: [number, number] | null, loss: ([number, number] | null)[] } | null }} Game
 * @typedef {{ evaluation: number | null, depth: number | null, speed: number | null, nodes: number | null, tbhits: number | null, line: string }} Said
 * @typedef {{ squares: string[], black: boolean, rights: { letter: string, king: number, rook: number }[], passant: string,
 *   quiet: number, number: number }} Position
 * @typedef {{ position: Position, from: number, to: number, san: string, black: boolean, number: number, book: boolean,
 *   evaluation: number | null, depth: number | null, time: number | null, speed: number | null, nodes: number | null, tbhits: number | null, line: string }} Step
 */

/** A mate in n is this less n, in centipawns. */
const MATE = 32000;
const FILES = "abcdefgh";

/** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
function svg(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return /** @type {SVGElement} */ (element);
}

/** @param {string} name @param {string} kind @param {(string | Node)[]} parts */
function html(name, kind, ...parts) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  // No line ends between a number and its sign.
  element.append(...parts.map((part) => (typeof part === "string" ? part.replaceAll(" %", "\u00a0%") : part)));
  return element;
}

/** The first picture of the page is seen; where nobody looks, the page has been here for a second. */
const firstPicture = new Promise((seen) => {
  new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
  setTimeout(seen, 1000);
});

/** A piece of the FEN's letter in a field of this size. @param {string} letter @param {number} x @param {number} y @param {number} size */
function piece(letter, x, y, size) {
  const color = letter === letter.toUpperCase() ? "w" : "b";
  return svg("use", { href: "#piece-" + letter.toUpperCase(), class: "piece " + color, x, y, width: size, height: size });
}

/** @param {string} name */
const squareAt = (name) => FILES.indexOf(name[0]) + 8 * (Number(name[1]) - 1);
/** @param {number} square */
const squareName = (square) => FILES[square % 8] + (1 + (square >> 3));

/** @param {string} fen @returns {Position} */
function positionOf(fen) {
  const [placement, turn, castling, passant, quiet, number] = fen.split(" ");
  /** @type {string[]} */
  const squares = new Array(64).fill("");
  placement.split("/").forEach((rank, down) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else squares[(7 - down) * 8 + file++] = letter;
    }
  });
  const rights = [...(castling || "-").replace("-", "")].map((letter) => {
    const [small, first] = [letter.toLowerCase(), letter === letter.toLowerCase() ? 56 : 0];
    const own = squares.slice(first, first + 8);
    const [king, rook] = first ? ["k", "r"] : ["K", "R"];
    const file = small === "k" ? own.lastIndexOf(rook) : small === "q" ? own.indexOf(rook) : FILES.indexOf(small);
    return { letter, king: first + own.indexOf(king), rook: first + file };
  });
  return { squares, black: turn === "b", rights, passant: passant || "-", quiet: Number(quiet) || 0, number: Number(number) || 1 };
}

/** @param {Position} position */
function fenOf(position) {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => {
    const letters = position.squares.slice(8 * rank, 8 * rank + 8).map((letter) => letter || "1").join("");
    return letters.replace(/1+/g, (ones) => String(ones.length));
  });
  const rights = position.rights.map((right) => right.letter).join("") || "-";
  return [ranks.join("/"), position.black ? "b" : "w", rights, position.passant, position.quiet, position.number].join(" ");
}

/**
 * The position after a move: the square that is left, of castling also the rook's and the one where the king lands, then SAN.
 * @param {Position} before @param {string} text
 */
function played(before, text) {
  const squares = before.squares.slice();
  const from = squareAt(text);
  const moved = squares[from];
  const castling = text.indexOf("O-O");
  const pawn = moved.toUpperCase() === "P";
  let [san, to, taken, passant] = [text.slice(2), 0, "", "-"];
  squares[from] = "";
  if (castling > 0) {
    san = text.slice(castling);
    const rookFrom = squareAt(text.slice(2));
    const rook = squares[rookFrom];
    to = squareAt(text.slice(4));
    squares[rookFrom] = "";
    squares[to] = moved;
    squares[rookFrom > from ? to - 1 : to + 1] = rook;
  } else {
    const [, name, become] = /([a-h][1-8])(?:=([NBRQ]))?[+#]?$/.exec(san) || ["", "a1", ""];
    to = squareAt(name);
    taken = squares[to];
    if (pawn && from % 8 !== to % 8 && taken === "") {
      taken = "p";
      squares[(from & 56) + to % 8] = "";
    }
    const enemy = before.black ? "P" : "p";
    const beside = (/** @type {number} */ step) => (to >> 3) === ((to + step) >> 3) && squares[to + step] === enemy;
    if (pawn && Math.abs(to - from) === 16 && (beside(-1) || beside(1))) passant = squareName((from + to) / 2);
    squares[to] = become ? (before.black ? become.toLowerCase() : become) : moved;
  }
  const rights = before.rights.filter((right) => ![right.king, right.rook].some((square) => square === from || square === to));
  const quiet = pawn || taken ? 0 : before.quiet + 1;
  const number = before.number + (before.black ? 1 : 0);
  return { position: { squares, black: !before.black, rights, passant, quiet, number }, from, to, san };
}

/** @param {string | null | undefined} text */
const wordsOf = (text) => (text ? text.split(" ") : []);

/** All positions of a game, with all that is known of each move. @param {Game} game @returns {Step[]} */
function replay(game) {
  let position = positionOf(game.fen);
  const none = { evaluation: null, depth: null, time: null, speed: null, nodes: null, tbhits: null, line: "" };
  const first = { position, from: -1, to: -1, san: "", black: true, number: 0, book: true, ...none };
  return [first, ...wordsOf(game.moves).map((text, ply) => {
    const { black, number } = position;
    const own = ply - game.book;
    const known = own < 0 ? none : {
      evaluation: game.evaluations[own] ?? null, depth: game.depths[own] ?? null, time: game.times[own] ?? null,
      speed: game.speeds[own] ?? null, nodes: game.nodes?.[own] ?? null, tbhits: game.tbhits?.[own] ?? null, line: game.lines?.[own] || "",
    };
    const step = { ...played(position, text), black, number, book: own < 0, ...known };
    position = step.position;
    return step;
  })];
}

/** Where a move is drawn: it comes with its squares. @param {string} text @param {Position} position */
const drawnMove = (text, position) => (position.squares[squareAt(text)] ? played(position, text) : null);

const DARK = [...Array(64).keys()].filter((field) => (field % 8 + (field >> 3)) % 2 === 1)
  .map((field) => `M${45 * (field % 8)} ${45 * (field >> 3)}h45v45h-45z`).join("");

/**
 * @param {SVGElement} drawing @param {Position} position
 * @param {{ from?: number, to?: number, turned?: boolean, arrow?: { from: number, to: number } | null, plain?: boolean }} how
 */
function drawBoard(drawing, position, { from = -1, to = -1, turned = false, arrow = null, plain = false }) {
  /** @param {number} square */
  const corner = (square) => (turned ? [45 * (7 - square % 8), 45 * (square >> 3)] : [45 * (square % 8), 45 * (7 - (square >> 3))]);
  const parts = [svg("rect", { class: "light", width: 360, height: 360 }), svg("path", { class: "dark", d: DARK })];
  for (const square of [from, to].filter((square) => square >= 0)) {
    const [x, y] = corner(square);
    parts.push(svg("rect", { class: "last", x, y, width: 45, height: 45 }));
  }
  if (!plain) {
    const places = [...Array(8).keys()];
    const all = places.map((place) => 45 * place);
    const files = svg("text", { class: "coordinate", x: all.map((x) => x + 36).join(" "), y: 357 });
    files.textContent = places.map((place) => FILES[turned ? 7 - place : place]).join("");
    const ranks = svg("text", { class: "coordinate", x: Array(8).fill(3).join(" "), y: all.map((y) => y + 11).join(" ") });
    ranks.textContent = places.map((place) => (turned ? place + 1 : 8 - place)).join("");
    parts.push(files, ranks);
  }
  position.squares.forEach((letter, square) => {
    if (!letter) return;
    const [x, y] = corner(square);
    const use = piece(letter, x, y, 45);
    use.setAttribute("data-square", squareName(square) + letter);
    parts.push(use);
  });
  if (arrow && arrow.from !== arrow.to) {
    const [[x1, y1], [x2, y2]] = [arrow.from, arrow.to].map((square) => corner(square).map((at) => at + 22.5));
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [bx, by] = [x2 - 14 * dx, y2 - 14 * dy];
    parts.push(svg("path", { class: "arrow", d: `M${x1} ${y1}L${bx} ${by}` }));
    parts.push(svg("path", { class: "arrow head", d: `M${x2} ${y2}L${bx - 8 * dy} ${by + 8 * dx}L${bx + 8 * dy} ${by - 8 * dx}Z` }));
  }
  drawing.replaceChildren(...parts);
}

// ---- figures in words ----

/** @param {number | null | undefined} evaluation From White's point of view. */
function shownEvaluation(evaluation) {
  if (evaluation === null || evaluation === undefined) return "–";
  const [sign, size] = [evaluation < 0 ? "−" : "+", Math.abs(evaluation)];
  return size > MATE - 1000 ? sign + "#" + (MATE - size) : sign + (size / 100).toFixed(2);
}

/** @param {number} milliseconds */
function shownClock(milliseconds) {
  const tenths = Math.floor(Math.max(0, milliseconds) / 100);
  const seconds = Math.floor(tenths / 10);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (seconds < 20) return "0:" + two(seconds) + "." + tenths % 10;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(seconds % 60);
}

/** @param {number | null | undefined} speed Thousands of nodes a second. */
function shownSpeed(speed) {
  if (speed === null || speed === undefined) return "–";
  return speed >= 1000 ? (speed / 1000).toFixed(1) + " Mn/s" : speed + " kn/s";
}

/** White's part of a bar. @param {number | null | undefined} evaluation */
const shareOf = (evaluation) => 1 / (1 + Math.exp(-(evaluation || 0) / 270));

/** A bar with White's part. @param {SVGElement} bar @param {number | null | undefined} evaluation */
function drawBar(bar, evaluation) {
  const width = Math.round(360 * shareOf(evaluation));
  bar.replaceChildren(svg("rect", { class: "of-black", width: 360, height: 10 }), svg("rect", { class: "of-white", width, height: 10 }),
    svg("path", { class: "half", d: "M180 0v10" }));
}

/** The sign of a color, which is the same on a light and on a dark page. @param {string} color */
function disc(color) {
  const sign = html("span", "disc " + color);
  sign.setAttribute("aria-hidden", "true");
  return sign;
}

/** Name, evaluation, bar and clock of a player. @param {"white" | "black"} color */
function playerLine(color) {
  const bar = svg("svg", { class: "bar", viewBox: "0 0 360 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  const parts = { name: html("span", "name"), score: html("span", "score"), clock: html("span", "clock") };
  return { ...parts, bar, line: html("div", "player " + color, disc(color), parts.name, parts.score, parts.clock, bar) };
}

/** What both engines said last up to a half-move: of the one that searches now, what it says. @param {Game} game @param {Step[]} steps @param {number} ply */
function lastSaid(game, steps, ply) {
  return [false, true].map((black) => {
    const now = ply === steps.length - 1 && game.said && steps[ply].position.black === black ? game.said : null;
    let at = ply;
    while (at > 0 && (steps[at].book || steps[at].black !== black)) at -= 1;
    const known = steps[at];
    if (now) return { ...now, time: known.time, from: ply };
    return { ...known, from: at - 1 };
  });
}

/** The move that is expected next: of the side to move, or else of the other. @param {Game} game @param {Step[]} steps @param {number} ply */
function expected(game, steps, ply) {
  if (game.end !== null && ply === steps.length - 1) return null;
  const position = steps[ply].position;
  const said = lastSaid(game, steps, ply);
  const [own, other] = position.black ? [said[1], said[0]] : said;
  for (const one of [own, other]) {
    const next = one.from <= ply ? wordsOf(one.line)[ply - one.from] : undefined;
    const letter = next && position.squares[squareAt(next)];
    if (next && letter && (letter === letter.toLowerCase()) === position.black) return drawnMove(next, position);
  }
  return null;
}

/** How far a running game is from an end by score. @param {Game} game */
function nearing(game) {
  const { draw = null, loss = [] } = game.nearing || {};
  const words = draw ? ["draw: " + draw[0] + " of " + draw[1] + " moves"] : [];
  loss.forEach((one, side) => { if (one) words.push((side ? "Black" : "White") + "'s loss: " + one[0] + " of " + one[1] + " moves"); });
  return words.join(" · ");
}
