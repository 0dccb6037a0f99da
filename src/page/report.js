// @ts-check
"use strict";
// The page's script, behind map.js: the filter of the games, the board. Texts of engines are only ever
// set as text. Without this script everything but the boards and the orders is there.

(() => {
  const svgNames = "http://www.w3.org/2000/svg";
  /** A move in a mate is this less the number of moves. */
  const MATE = 32000;

  /**
   * @param {string} name
   * @param {Record<string, string | number>} attributes
   * @returns {SVGElement}
   */
  function svg(name, attributes) {
    const element = /** @type {SVGElement} */ (document.createElementNS(svgNames, name));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  }

  /** A piece of the FEN's letter in a field of this size. @param {string} letter @param {number} x @param {number} y @param {number} size */
  function piece(letter, x, y, size) {
    const white = letter === letter.toUpperCase();
    return svg("use", { href: "#piece-" + letter.toUpperCase(), class: "piece " + (white ? "w" : "b"), x, y, width: size, height: size });
  }

  startMaps(svg, piece);

  // ---- the list of games ----

  const tables = [...document.querySelectorAll("table.games")];

  /** @param {HTMLElement} table @param {(row: HTMLElement) => boolean} wanted @param {string} words */
  function filter(table, wanted, words) {
    const note = table.closest("section").querySelector(".filter");
    for (const row of table.tBodies[0].rows) row.hidden = !wanted(row);
    note.hidden = words === "";
    note.querySelector("span").textContent = words;
    if (words !== "") note.scrollIntoView({ block: "center" });
  }

  for (const table of tables) {
    table.closest("section").querySelector(".filter button").addEventListener("click", () => filter(table, () => true, ""));
  }

  // ---- the moves ----

  /** The games of one event; see `packed.rs`. @param {string} coded */
  async function unpack(coded) {
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const event = await new Response(stream).json();
    event.games.sort(byName);
    return event;
  }

  /** By the numbers of their names: `17.2`, and `2.1.1` of an event in rounds. */
  function byName(one, other) {
    const [a, b] = [one, other].map((game) => game.round.split(".").map(Number));
    const place = a.findIndex((number, place) => number !== b[place]);
    return place < 0 ? 0 : a[place] - (b[place] ?? -1);
  }
  const clampSquash = (value) => Math.tanh(value / 400);
  const square = (index) => "abcdefgh"[index % 8] + (1 + (index >> 3));

  /** The numbers of a list in which each is less the same side's last. @param {(number | null)[]} differences */
  function numbers(differences) {
    const last = [0, 0];
    return differences.map((difference, at) => (difference === null ? null : (last[at % 2] += difference)));
  }

  /** All positions of a game, with the text, evaluation, depth and clock of every move. */
  function replay(game) {
    const [placement, turn, , , , number] = game.fen.split(" ");
    const board = new Array(64).fill("");
    placement.split("/").forEach((rank, down) => {
      let file = 0;
      for (const letter of rank) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else board[(7 - down) * 8 + file++] = letter;
      }
    });
    const at = (name) => "abcdefgh".indexOf(name[0]) + 8 * (Number(name[1]) - 1);
    const [evaluations, depths, times] = [game.evaluations, game.depths, game.times].map(numbers);
    const steps = [{ board: board.slice(), from: -1, to: -1 }];
    let black = turn === "b";
    let moveNumber = Number(number) || 1;
    const moves = game.moves === "" ? [] : game.moves.split(" ");
    moves.forEach((text, ply) => {
      const from = at(text);
      const moved = board[from];
      const castling = text.indexOf("O-O");
      let san = text.slice(2);
      let target;
      board[from] = "";
      if (castling > 0) {
        san = text.slice(castling);
        const rookFrom = at(text.slice(2));
        const rook = board[rookFrom];
        const short = rookFrom > from;
        target = at(text.slice(4));
        board[rookFrom] = "";
        board[target] = moved;
        board[short ? target - 1 : target + 1] = rook;
      } else {
        const [, name, become] = /([a-h][1-8])(?:=([NBRQ]))?[+#]?$/.exec(san);
        target = at(name);
        const pawn = moved.toUpperCase() === "P";
        if (pawn && (from & 7) !== (target & 7) && board[target] === "") board[(from & 56) + (target & 7)] = "";
        board[target] = become ? (black ? become.toLowerCase() : become) : moved;
      }
      const own = ply - game.book;
      const book = own < 0;
      steps.push({
        board: board.slice(), from, to: target, san, black, book, number: moveNumber,
        evaluation: book ? null : evaluations[own], depth: book ? null : depths[own], clock: book ? null : times[own],
      });
      if (black) moveNumber += 1;
      black = !black;
    });
    return steps;
  }

  const shown = (evaluation) => {
    if (evaluation === null) return "–";
    const sign = evaluation < 0 ? "−" : "+";
    const size = Math.abs(evaluation);
    if (size > 31000) return sign + "#" + (MATE - size);
    return sign + (size / 100).toFixed(2);
  };

  const seconds = (value) => {
    if (value < 60) return value.toFixed(1) + " s";
    const whole = Math.floor(value);
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    const two = (number) => String(number).padStart(2, "0");
    return (hours ? hours + ":" + two(minutes) : minutes) + ":" + two(whole % 60);
  };

  // ---- the board ----

  function viewer(event, box) {
    const prefix = box.dataset.prefix;
    const find = (selector) => box.querySelector(selector);
    let steps = [];
    let game = null;
    let ply = 0;
    const turned = () => box.classList.contains("turned");

    function drawBoard() {
      const step = steps[ply];
      const fields = [];
      for (let index = 0; index < 64; index++) {
        const file = turned() ? 7 - index % 8 : index % 8;
        const rank = turned() ? index >> 3 : 7 - (index >> 3);
        const [x, y] = [8 + 45 * file, 45 * rank];
        const light = (index % 8 + (index >> 3)) % 2 === 1;
        fields.push(svg("rect", { x, y, width: 45, height: 45, class: light ? "light" : "dark" }));
        if (index === step.from || index === step.to) fields.push(svg("rect", { x, y, width: 45, height: 45, class: "last" }));
        if (step.board[index]) {
          const use = piece(step.board[index], x, y, 45);
          use.setAttribute("data-square", square(index) + step.board[index]);
          fields.push(use);
        }
      }
      for (let place = 0; place < 8; place++) {
        const file = svg("text", { x: 8 + 45 * place + 20, y: 372 });
        file.textContent = "abcdefgh"[turned() ? 7 - place : place];
        const rank = svg("text", { x: 0, y: 45 * place + 26 });
        rank.textContent = String(turned() ? place + 1 : 8 - place);
        fields.push(file, rank);
      }
      find(".board").replaceChildren(...fields);
    }

    function drawEvaluations() {
      const lines = [svg("path", { class: "zero", d: "M0 60H360" })];
      const x = (at) => steps.length > 1 ? 360 * at / (steps.length - 1) : 0;
      for (const black of [false, true]) {
        let path = "";
        steps.forEach((step, at) => {
          if (at === 0 || step.black !== black || step.evaluation === null) return;
          path += (path ? "L" : "M") + x(at).toFixed(1) + " " + (60 - 55 * clampSquash(step.evaluation)).toFixed(1);
        });
        if (path) lines.push(svg("path", { class: "curve e" + (black ? 1 : 0), d: path }));
      }
      lines.push(svg("path", { class: "here", d: "M" + x(ply).toFixed(1) + " 0V120" }));
      find(".evaluations").replaceChildren(...lines);
    }

    function side(black) {
      const names = game.players.map((place) => event.names[place]);
      const before = steps.slice(1, ply + 1).filter((step) => step.black === black && step.clock !== null).pop();
      const name = document.createElement("span");
      name.textContent = (black ? "● " : "○ ") + names[black ? 1 : 0];
      const clock = document.createElement("span");
      clock.className = "clock";
      clock.textContent = before ? (game.clock ? seconds(before.clock / 10) + " left" : "used " + seconds(before.clock / 10)) : "";
      find(black ? "p.black" : "p.white").replaceChildren(name, clock);
      find(black ? "span.black" : "span.white").textContent = names[black ? 1 : 0];
    }

    function go(where) {
      if (!game) return;
      ply = Math.max(0, Math.min(steps.length - 1, where));
      const step = steps[ply];
      drawBoard();
      drawEvaluations();
      side(false);
      side(true);
      const moves = [...find(".moves").querySelectorAll("button")];
      moves.forEach((button, place) => button.classList.toggle("here", place + 1 === ply));
      const here = moves[ply - 1];
      if (here) find(".moves").scrollTop = here.offsetTop - find(".moves").offsetTop - 60;
      let words = "Start position";
      if (ply > 0) {
        words = step.number + (step.black ? "… " : ". ") + step.san;
        words += step.book ? ", book" : ", evaluation " + shown(step.evaluation) + ", depth " + (step.depth || "–");
        if (ply === steps.length - 1) words += ". " + game.result + ", " + game.end;
      }
      find(".now").textContent = words;
      box.dataset.ply = String(ply);
    }

    function open(round) {
      const found = event.games.find((one) => one.round === round);
      if (!found) return false;
      game = found;
      steps = replay(game);
      find(".title").textContent = "Game " + game.round + ": " + game.result + ", " + game.end;
      const start = game.number === null ? "no start number" : "start number " + game.number;
      find(".start").textContent = start + " · " + game.fen;
      const moves = [];
      steps.forEach((step, at) => {
        if (at === 0) return;
        if (!step.black || at === 1) moves.push(step.number + (step.black ? "…" : ".") + " ");
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        button.textContent = step.san;
        button.addEventListener("click", () => go(at));
        moves.push(button, " ");
      });
      find(".moves").replaceChildren(...moves);
      for (const row of document.querySelectorAll("tr.chosen")) row.classList.remove("chosen");
      document.getElementById(prefix + "game-" + round)?.classList.add("chosen");
      go(0);
      return true;
    }

    function other(step) {
      const place = event.games.indexOf(game) + step;
      if (event.games[place]) location.hash = prefix + "game-" + event.games[place].round;
    }

    const deeds = {
      first: () => go(0), back: () => go(ply - 1), forward: () => go(ply + 1), last: () => go(steps.length - 1),
      turn: () => { box.classList.toggle("turned"); go(ply); }, before: () => other(-1), next: () => other(1),
    };
    const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last", f: "turn", F: "turn" };
    box.addEventListener("keydown", (event) => {
      const deed = keys[event.key];
      if (!deed || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      deeds[deed]();
    });
    for (const button of box.querySelectorAll("[data-go]")) button.addEventListener("click", () => deeds[button.dataset.go]());
    find(".evaluations").addEventListener("click", (event) => {
      const area = find(".evaluations").getBoundingClientRect();
      go(Math.round((event.clientX - area.left) / area.width * (steps.length - 1)));
    });
    box.hidden = false;
    open(event.games[0].round);
    return { open, box };
  }

  // ---- addresses ----

  /** @type {Map<string, ReturnType<typeof viewer>>} */
  const viewers = new Map();

  function follow() {
    const found = /^#(e\d+-)(game-(\d+(?:\.\d+)*)|games-start-(\d+)|games-players-(\d+)-(\d+)|start-\d+)$/.exec(location.hash);
    if (!found) return;
    const [, prefix, what, round, start, one, two] = found;
    const table = tables.find((table) => table.dataset.prefix === prefix);
    if (round) {
      const board = viewers.get(prefix);
      if (board && board.open(round)) {
        board.box.scrollIntoView({ block: "nearest" });
        board.box.focus({ preventScroll: true });
      }
    } else if (start && table) {
      const found = [...table.tBodies[0].rows].find((row) => row.dataset.s === start);
      const number = found?.cells[1].textContent;
      filter(table, (row) => row.dataset.s === start, number ? "Games from start number " + number + ":" : "Games from one start:");
    } else if (one && table) {
      const both = [one + " " + two, two + " " + one];
      filter(table, (row) => both.includes(row.dataset.p), "Games of these two engines:");
      const first = [...table.tBodies[0].rows].find((row) => both.includes(row.dataset.p));
      if (first) viewers.get(prefix)?.open(first.cells[0].textContent);
    } else if (what.startsWith("start-")) {
      document.getElementById(prefix + "positions").open = true;
      document.getElementById(prefix + what)?.scrollIntoView({ block: "center" });
    }
  }

  async function begin() {
    for (const data of document.querySelectorAll("script[data-moves]")) {
      const prefix = data.dataset.moves;
      const note = document.querySelector(`.unpacking[data-prefix="${prefix}"]`);
      if (typeof DecompressionStream === "undefined") {
        note.textContent = "This browser cannot unpack the moves (it has no DecompressionStream); all else is here.";
        continue;
      }
      const event = await unpack(data.textContent);
      note.hidden = true;
      viewers.set(prefix, viewer(event, document.getElementById(prefix + "viewer")));
    }
    follow();
    document.documentElement.dataset.ready = "yes";
  }

  window.addEventListener("hashchange", follow);
  begin();
})();
