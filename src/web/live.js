// @ts-check
"use strict";
// The script of the live page: boards follow what the server tells, clocks run, tables and figures are fetched
// anew when they have changed. Texts of engines are only ever set as text; the rules of chess are the server's.

(() => {
  const svgNames = "http://www.w3.org/2000/svg";
  /** Between two looks for tables or figures. */
  const REST = 2000;
  /** After a connection that was lost. */
  const AGAIN = 4000;
  /** How long a game that has ended stays on its board before the next is shown. */
  const STAYS = 3000;

  /**
   * @typedef {{ cp: number | null, mate: number | null, depth: number | null, nodes: number | null, nps: number | null, pv: string }} Said
   * @typedef {{ lane: number, name: string, white?: string, black?: string, number?: number | null, first?: [number, number],
   *   placement: string, turn: number, last: string[] | null, plies: number, moves: string[], clocks: (number | null)[],
   *   end: string | null, said: Said[], arrow: string[] | null }} Told
   */

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
  function svg(name, attributes) {
    const element = /** @type {SVGElement} */ (document.createElementNS(svgNames, name));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  }

  /** @param {string} name @param {string} kind @param {string} [text] */
  function html(name, kind, text) {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  /** @param {string} square */
  const place = (square) => [45 * "abcdefgh".indexOf(square[0]), 45 * (8 - Number(square[1]))];

  /** @param {Said} said */
  function score(said) {
    if (said.mate !== null) return (said.mate < 0 ? "−#" : "#") + Math.abs(said.mate);
    if (said.cp === null) return "";
    return (said.cp < 0 ? "−" : "+") + (Math.abs(said.cp) / 100).toFixed(2);
  }

  /** White's part of a bar. @param {Said} said */
  function share(said) {
    if (said.mate !== null) return said.mate >= 0 ? 1 : 0;
    return said.cp === null ? 0.5 : 1 / (1 + Math.exp(-said.cp / 270));
  }

  /** @param {number} milliseconds */
  function clock(milliseconds) {
    const tenths = Math.floor(Math.max(0, milliseconds) / 100);
    const seconds = Math.floor(tenths / 10);
    const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
    if (seconds < 20) return "0:" + two(seconds) + "." + tenths % 10;
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(seconds % 60);
  }

  /** @param {Said} said */
  function search(said) {
    const words = [];
    if (said.depth !== null) words.push("depth " + said.depth);
    if (said.nps !== null) words.push(said.nps >= 1e6 ? (said.nps / 1e6).toFixed(1) + " Mn/s" : Math.round(said.nps / 1000) + " kn/s");
    return words.join(" · ");
  }

  /** One lane: its game on a board. @param {number} lane */
  function makeBoard(lane) {
    const box = html("section", "game");
    box.dataset.lane = String(lane);
    const title = html("h3", "");
    const drawing = svg("svg", { viewBox: "0 0 360 360", role: "img", class: "board" });
    const bars = [0, 1].map(() => {
      const bar = svg("svg", { viewBox: "0 0 10 360", preserveAspectRatio: "none", class: "bar", "aria-hidden": "true" });
      bar.append(svg("rect", { width: 10, height: 360, class: "of-black" }), svg("rect", { width: 10, height: 180, y: 180, class: "of-white" }));
      return bar;
    });
    const players = ["white", "black"].map((color) => {
      const line = html("p", "player " + color);
      line.append(html("span", "name"), html("span", "score"), html("span", "clock"));
      return line;
    });
    const searches = [0, 1].map(() => html("p", "pv"));
    const field = html("div", "field");
    field.append(bars[0], drawing, bars[1]);
    const end = html("p", "end");
    const moves = html("p", "moves");
    box.append(title, searches[1], players[1], field, players[0], searches[0], end, moves);
    /** @type {Told | null} */
    let known = null;
    let since = 0;
    /** When the end of this game was first shown. */
    let ended = 0;
    /** @type {[Told, number][]} */
    let waiting = [];

    const part = (/** @type {number} */ side, /** @type {string} */ name) => /** @type {HTMLElement} */ (players[side].querySelector("." + name));

    function draw() {
      if (!known) return;
      const parts = [svg("use", { href: "#squares" })];
      for (const square of known.last || []) {
        const [x, y] = place(square);
        parts.push(svg("rect", { class: "last", x, y, width: 45, height: 45 }));
      }
      let index = 0;
      for (const letter of known.placement) {
        if (letter === "/") continue;
        if (letter >= "1" && letter <= "8") {
          index += Number(letter);
          continue;
        }
        const white = letter === letter.toUpperCase();
        parts.push(svg("use", {
          href: "#piece-" + letter.toUpperCase(), class: "piece " + (white ? "w" : "b"),
          x: 45 * (index % 8), y: 45 * Math.floor(index / 8), width: 45, height: 45,
        }));
        index += 1;
      }
      parts.push(...arrow(known.arrow));
      drawing.replaceChildren(...parts);
      drawing.setAttribute("aria-label", "Board after " + known.plies + " half-moves");
      players.forEach((line, side) => line.classList.toggle("turn", known !== null && known.end === null && known.turn === side));
      end.textContent = known.end || "";
      const first = known.first || [1, 0];
      const words = known.moves.map((move, ply) => {
        const at = ply + first[1];
        const number = first[0] + Math.floor(at / 2);
        if (at % 2 === 0) return number + ". " + move;
        return ply === 0 ? number + "… " + move : move;
      });
      moves.textContent = words.join(" ");
      moves.scrollTop = moves.scrollHeight;
    }

    /** @param {string[] | null} squares */
    function arrow(squares) {
      if (!squares || squares[0] === squares[1]) return [];
      const [x1, y1] = place(squares[0]).map((at) => at + 22.5);
      const [x2, y2] = place(squares[1]).map((at) => at + 22.5);
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - 14 * dx, y2 - 14 * dy];
      return [
        svg("path", { class: "arrow", d: `M${x1} ${y1}L${bx} ${by}` }),
        svg("path", { class: "arrow head", d: `M${x2} ${y2}L${bx - 8 * dy} ${by + 8 * dx}L${bx + 8 * dy} ${by - 8 * dx}Z` }),
      ];
    }

    function think() {
      if (!known) return;
      known.said.forEach((said, side) => {
        part(side, "score").textContent = score(said);
        searches[side].replaceChildren(html("span", "depth", search(said)), " ", said.pv);
        const height = Math.round(360 * share(said));
        const white = bars[side].lastElementChild;
        white?.setAttribute("y", String(360 - height));
        white?.setAttribute("height", String(height));
      });
    }

    function tick() {
      if (!known) return;
      const spent = known.end === null ? performance.now() - since : 0;
      known.clocks.forEach((left, side) => {
        const text = left === null ? "" : clock(left - (known !== null && side === known.turn ? spent : 0));
        const shown = part(side, "clock");
        if (shown.textContent !== text) shown.textContent = text;
      });
    }

    /** What the server tells of it; whether it follows from what is known. @param {Told} told */
    function hear(told) {
      const at = performance.now();
      const stays = ended + STAYS - at;
      const begins = told.white !== undefined && known !== null && known.end !== null && known.name !== told.name;
      if (waiting.length === 0 && !(begins && stays > 0)) return take(told, at);
      if (waiting.length === 0) setTimeout(release, stays);
      // A whole game says all that was said before it.
      if (told.white !== undefined) waiting = [];
      waiting.push([told, at]);
      return true;
    }

    /** The next game, which has waited for the end of the one before to be read. */
    function release() {
      const all = waiting;
      waiting = [];
      for (const [told, at] of all) take(told, at);
    }

    /** @param {Told} told @param {number} at When it was heard. */
    function take(told, at) {
      const had = known !== null && known.end !== null && known.name === told.name;
      if (told.placement === undefined) {
        if (!known || known.name !== told.name) return true;
        known.said = told.said;
        known.arrow = told.arrow;
      } else if (told.white !== undefined) {
        known = told;
        title.replaceChildren(html("span", "round", "Game " + told.name));
        if (told.number !== null) title.append(" ", html("span", "number", "start " + told.number));
        box.setAttribute("aria-label", "Game " + told.name);
        [told.white, told.black || ""].forEach((name, side) => {
          part(side, "name").textContent = name;
          part(side, "name").title = name;
        });
      } else {
        const from = told.plies - told.moves.length;
        if (!known || known.name !== told.name || from > known.moves.length) return false;
        told.moves = known.moves.slice(0, from).concat(told.moves);
        known = { ...known, ...told };
      }
      if (told.clocks !== undefined) since = at;
      if (known.end !== null && !had) ended = performance.now();
      draw();
      think();
      tick();
      return true;
    }
    return { box, hear, tick };
  }

  /** @type {Map<number, ReturnType<typeof makeBoard>>} */
  let boards = new Map();

  /** @param {Told[]} all @param {boolean} anew */
  function hearBoards(all, anew) {
    if (anew) {
      boards = new Map();
      byId("boards").replaceChildren();
    }
    let follows = true;
    for (const told of all) {
      let board = boards.get(told.lane);
      if (!board) {
        board = makeBoard(told.lane);
        boards.set(told.lane, board);
        byId("boards").append(board.box);
      }
      follows = board.hear(told) && follows;
    }
    return follows;
  }

  /** @param {number} lost @param {number} missed */
  function tellLost(lost, missed) {
    const words = [];
    if (lost > 0) words.push(lost + " updates were dropped on their way to this page");
    if (missed > 0) words.push("this browser was too slow for " + missed + " messages");
    byId("lost").textContent = words.length ? words.join("; ") + ". The boards are right all the same." : "";
  }

  // ---- tables and figures, which are fetched ----

  /** A part of the page that is fetched when it has changed, and not too often. @param {string} name */
  function part(name) {
    let wanted = "";
    let shown = "";
    let busy = false;

    async function renew() {
      if (busy || wanted === shown || document.hidden) return;
      busy = true;
      const version = wanted;
      try {
        const answer = await fetch(name + ".html");
        if (answer.ok) {
          // The server has escaped all that is foreign in it, and no script in it would run.
          byId(name).innerHTML = await answer.text();
          shown = version;
        }
      } catch {
        // The connection is lost: all is told again when there is another.
      }
      setTimeout(() => {
        busy = false;
        renew();
      }, REST);
    }
    document.addEventListener("visibilitychange", renew);
    return (/** @type {string} */ version) => {
      wanted = version;
      renew();
    };
  }

  const renewTables = part("tables");
  const renewFigures = part("figures");

  // ---- what the server tells ----

  const begun = byId("state").textContent || "";
  let over = false;

  function connect() {
    let closed = false;
    const source = new EventSource("events");
    const again = () => {
      if (closed) return;
      closed = true;
      source.close();
      setTimeout(connect, AGAIN);
    };
    source.addEventListener("now", (event) => {
      const now = JSON.parse(event.data);
      hearBoards(now.boards, true);
      tellLost(now.lost, now.missed);
      renewTables(String(now.tables));
      renewFigures(String(now.figures));
      byId("state").textContent = begun;
      over = false;
      document.documentElement.dataset.ready = "yes";
    });
    source.addEventListener("boards", (event) => {
      const news = JSON.parse(event.data);
      if (!hearBoards(news.boards, false)) again();
      tellLost(news.lost, 0);
    });
    source.addEventListener("tables", (event) => renewTables(event.data));
    source.addEventListener("figures", (event) => renewFigures(event.data));
    source.addEventListener("over", () => {
      over = true;
      byId("state").textContent = "This run is over.";
      again();
    });
    source.addEventListener("error", () => {
      if (!over) byId("state").textContent = "The connection is lost. Trying again …";
      again();
    });
  }

  setInterval(() => boards.forEach((board) => board.tick()), 100);
  connect();
})();
