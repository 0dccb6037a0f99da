// @ts-check
"use strict";
// The viewer of games: it fills the window, and shows a stored game and a running one alike.

function makeViewer() {
  const box = /** @type {HTMLDialogElement} */ (html("dialog", "viewer"));
  box.id = "viewer";
  box.tabIndex = -1;
  box.setAttribute("aria-label", "Game. Arrow keys: back and forward; Home and End; F turns the board; 1 and 2 show or hide a line in the graphs; P and N: other game; C copies the address; Escape closes");
  const players = /** @type {const} */ (["white", "black"]).map((color) => {
    const follow = html("button", "follow", "follow");
    follow.setAttribute("type", "button");
    return { ...playerLine(color), follow };
  });
  const board = svg("svg", { class: "board", viewBox: "0 0 360 360", role: "img", "aria-label": "Board" });
  const title = html("h2", "title");
  const start = html("p", "start");
  const now = html("p", "now");
  now.setAttribute("aria-live", "polite");
  const moves = html("div", "moves");
  moves.tabIndex = 0;
  moves.setAttribute("role", "region");
  moves.setAttribute("aria-label", "Moves");
  const figures = html("table", "figures");
  const lines = [0, 1].map((side) => ({
    words: html("p", "line"), board: svg("svg", { class: "board small", viewBox: "0 0 360 360", "aria-hidden": "true" }),
    box: html("section", "expects " + (side ? "black" : "white")),
  }));
  lines.forEach((line) => line.box.append(line.board, line.words));
  const kinds = [["evaluation", "Evaluation, White's view"], ["time", "Time"], ["depth", "Depth"], ["speed", "Speed"]];
  const graphs = kinds.map(([kind, words]) => {
    const drawing = svg("svg", { viewBox: "0 0 360 80", preserveAspectRatio: "none", role: "img", "aria-label": words });
    drawing.addEventListener("click", (event) => {
      const area = drawing.getBoundingClientRect();
      go(Math.round((event.clientX - area.left) / area.width * (steps.length - 1)));
    });
    const name = html("figcaption", "", words);
    return { kind, drawing, name, words, box: html("figure", "graph " + kind, drawing, name) };
  });
  const analysis = /** @type {HTMLAnchorElement} */ (html("a", "", "Analysis board"));
  Object.assign(analysis, { target: "_blank", rel: "noopener noreferrer" });

  /** @type {Game | null} */
  let game = null;
  /** @type {Game[]} */
  let all = [];
  let prefix = "";
  /** @type {Step[]} */
  let steps = [];
  let ply = 0;
  let timer = 0;
  /** Keys that are pressed while the list of games is fetched count one after the other. */
  let turned = Promise.resolve();
  /** The engine whose games are opened as they begin. */
  let followed = "";

  /** @type {Record<string, () => void>} */
  const deeds = {
    first: () => go(0), back: () => go(ply - 1), forward: () => go(ply + 1), last: () => go(steps.length - 1),
    turn: () => { box.classList.toggle("turned"); draw(); }, white: () => toggle(0), black: () => toggle(1), before: () => { turned = turned.then(() => other(-1)); }, next: () => { turned = turned.then(() => other(1)); }, close,
    fen: () => copy(fenOf(steps[ply].position)), pgn: () => copy(pgn()), address: () => copy(address()),
  };
  /** @type {Record<string, string>} */
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last", f: "turn", 1: "white", 2: "black", p: "before", n: "next", c: "address", Escape: "close" };
  const button = (/** @type {string} */ deed, /** @type {string} */ words, /** @type {string} */ label = "") => {
    const made = html("button", deed, words);
    made.setAttribute("type", "button");
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", () => deeds[deed]());
    return made;
  };
  const buttons = html("div", "buttons", button("first", "|◀", "To the start"), button("back", "◀", "One move back"),
    button("forward", "▶", "One move forward"), button("last", "▶|", "To the end"), button("turn", "⇅", "Turn the board"),
    button("before", "previous game"), button("next", "next game"));
  const tools = html("div", "buttons", button("fen", "Copy FEN"), button("pgn", "Copy PGN"), button("address", "Copy address"), analysis);
  const both = html("div", "both", lines[0].box, lines[1].box);
  const beside = html("div", "beside", buttons, now, figures, both,
    html("div", "graphs", ...graphs.map((graph) => graph.box)), moves, tools, start);
  box.append(html("header", "", title, button("close", "✕", "Close")),
    html("div", "large", players[1].line, board, players[0].line), beside);
  document.body.append(box);

  box.addEventListener("keydown", (event) => {
    const deed = keys[event.key] || keys[event.key.toLowerCase()];
    if (!deed || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    deeds[deed]();
  });
  // The browser has closed it. It says so later, when the address may already show another game.
  box.addEventListener("close", () => { if (!box.open && game) close(); });

  players.forEach((player, side) => {
    player.bar.addEventListener("click", () => toggle(side));
    player.name.after(player.follow);
    player.follow.addEventListener("click", () => {
      const name = game?.players[side] || "";
      follow(followed === name ? "" : name);
    });
  });

  /** Shows or hides an engine's lines in the graphs. @param {number} side */
  function toggle(side) {
    box.classList.toggle("without-" + side);
    draw();
  }

  /** Nothing is shown, followed or in the address any more. */
  function close() {
    if (/(game|engine)=/.test(location.hash)) history.pushState(null, "", location.pathname + location.search);
    [game, followed] = [null, ""];
    box.close();
  }

  /** The address of what is seen. */
  const address = () => location.href.split("#")[0] + "#" + prefix + "game=" + game?.round + "&ply=" + ply;

  /** @param {string} text */
  function copy(text) {
    const field = /** @type {HTMLTextAreaElement} */ (html("textarea", "", text));
    box.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    box.focus();
    if (!done) prompt("Copy this:", text);
  }

  function pgn() {
    if (!game) return "";
    const tags = [["Event", document.title.split(" · ")[0]], ["Round", game.round], ["White", game.players[0]], ["Black", game.players[1]],
      ["Result", game.result || "*"], ["Variant", "Chess960"], ["SetUp", "1"], ["FEN", game.fen]];
    const text = steps.slice(1).map((step, place) => (step.black ? (place ? "" : step.number + "... ") : step.number + ". ") + step.san);
    return tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]\n`).join("") + "\n" + [...text, game.result || "*"].join(" ") + "\n";
  }

  /** @param {number} where */
  function go(where) {
    ply = Math.max(0, Math.min(steps.length - 1, where));
    draw();
    clearTimeout(timer);
    const [seen, asked] = [game, location.hash];
    // Browsers refuse an address that changes too often; another that is followed meanwhile stays.
    timer = setTimeout(() => { if (game && game.round === seen?.round && location.hash === asked) history.replaceState(null, "", address()); }, 400);
  }

  /** @param {number} step */
  async function other(step) {
    if (all.length < 2 && prefix === "" && (await fetchGames())) all = await gamesOf(prefix);
    const place = game ? all.findIndex((one) => one.round === game?.round) + step : -1;
    const next = all[place];
    if (!next) return;
    location.hash = prefix + "game=" + next.round;
    open(next, all, prefix, null);
  }

  function draw() {
    if (!game) return;
    const [step, turned] = [steps[ply], box.classList.contains("turned")];
    drawBoard(board, step.position, { from: step.from, to: step.to, turned, arrow: expected(game, steps, ply) });
    const said = lastSaid(game, steps, ply);
    drawPlayers(said);
    drawFigures(said);
    drawLines(said, turned);
    graphs.forEach(drawGraph);
    const list = [...moves.querySelectorAll("button")];
    list.forEach((one, place) => one.classList.toggle("here", place + 1 === ply));
    moves.scrollTop = list[ply - 1] ? list[ply - 1].offsetTop - moves.offsetTop - 60 : 0;
    let words = "Start position";
    if (ply > 0) {
      words = step.number + (step.black ? "… " : ". ") + step.san;
      words += step.book ? ", book" : ", evaluation " + shownEvaluation(step.evaluation) + ", depth " + (step.depth || "–");
      if (ply === steps.length - 1 && game.end !== null) words += ". " + [game.result, game.end].filter(Boolean).join(", ");
    }
    if (game.end === null && ply === steps.length - 1) words = [words, nearing(game)].filter(Boolean).join(". ");
    now.textContent = words;
    box.dataset.ply = String(ply);
    const fen = fenOf(step.position);
    analysis.href = "https://lichess.org/analysis/chess960/" + encodeURI(fen.replace(/ /g, "_"));
    start.textContent = (game.number === null ? "no start number" : "start number " + game.number) + " · " + fen;
  }

  /** @param {ReturnType<typeof lastSaid>} said */
  function drawPlayers(said) {
    players.forEach((player, side) => {
      const name = game?.players[side] || "";
      player.name.textContent = name;
      player.name.title = aboutEngine(name);
      player.follow.hidden = game?.end !== null && !followed;
      player.follow.setAttribute("aria-pressed", String(followed === name));
      player.follow.setAttribute("aria-label", "Follow " + name + ": its next games are opened as they begin");
      player.score.textContent = said[side].evaluation === null ? "" : shownEvaluation(said[side].evaluation);
      drawBar(player.bar, said[side].evaluation);
      player.line.classList.toggle("turn", steps[ply].position.black === (side === 1));
    });
    tick();
  }

  function tick() {
    if (!game) return;
    const runs = game.end === null && ply === steps.length - 1;
    const said = lastSaid(game, steps, ply);
    players.forEach((player, side) => {
      const left = runs ? game?.clocks?.[side] : undefined;
      const spent = steps[ply].position.black === (side === 1) ? performance.now() - (game?.since || 0) : 0;
      const time = said[side].time;
      const past = time === null ? "" : game?.clock ? shownClock(100 * time) : "used " + time / 10 + " s";
      player.clock.textContent = left === null || left === undefined ? past : shownClock(left - spent);
    });
  }

  /** @param {ReturnType<typeof lastSaid>} said */
  function drawFigures(said) {
    const heads = [0, 1].map((side) => {
      const color = side ? "black" : "white";
      const made = html("button", color, disc(color), " " + game?.players[side]);
      made.setAttribute("type", "button");
      made.setAttribute("aria-pressed", String(!box.classList.contains("without-" + side)));
      made.title = "Show or hide its lines in the graphs";
      made.addEventListener("click", () => toggle(side));
      return html("th", "", made);
    });
    const number = (/** @type {number | null} */ value) => (value === null ? "–" : value.toLocaleString("en"));
    /** @type {[string, (one: ReturnType<typeof lastSaid>[0]) => string][]} */
    const rows = [["evaluation", (one) => shownEvaluation(one.evaluation)], ["depth", (one) => number(one.depth)], ["speed", (one) => shownSpeed(one.speed)],
      [game?.clock ? "time left" : "time used", (one) => (one.time === null ? "–" : game?.clock ? shownClock(100 * one.time) : one.time / 10 + " s")],
      ["nodes", (one) => number(one.nodes)], ["tablebase hits", (one) => number(one.tbhits)]];
    const row = (/** @type {(typeof rows)[0]} */ [name, value]) => {
      const head = html("th", "", name);
      head.setAttribute("scope", "row");
      return html("tr", "", head, ...said.map((one) => html("td", "", value(one))));
    };
    figures.replaceChildren(html("thead", "", html("tr", "", html("td", ""), ...heads)), html("tbody", "", ...rows.map(row)));
  }

  /** Both expected lines, and where they part. @param {ReturnType<typeof lastSaid>} said @param {boolean} turned */
  function drawLines(said, turned) {
    const words = said.map((one) => wordsOf(one.line));
    both.hidden = game?.end !== null && !game?.lines?.some(Boolean);
    const first = Math.max(said[0].from, said[1].from);
    let parts = Infinity;
    for (let at = first; words.every((list, side) => at - said[side].from < list.length) && parts === Infinity; at++) {
      const [one, other] = words.map((list, side) => list[at - said[side].from]);
      if (one !== other) parts = at;
    }
    lines.forEach((line, side) => {
      let position = steps[Math.max(0, said[side].from)].position;
      let last = { from: -1, to: -1 };
      const made = [disc(side ? "black" : "white")];
      words[side].forEach((text, place) => {
        const { black, number } = position;
        const step = drawnMove(text, position);
        if (!step) return;
        [position, last] = [step.position, step];
        const move = html("span", said[side].from + place === parts ? "parts" : "", (black ? (place ? "" : number + "… ") : number + ". ") + step.san);
        if (said[side].from + place === parts) move.title = "Here the two lines part";
        made.push(html("span", "", " "), move);
      });
      if (words[side].length === 0) made.push(html("span", "", " no line is known"));
      line.words.replaceChildren(...made);
      drawBoard(line.board, position, { ...last, turned, plain: true });
    });
  }

  /** @param {{ kind: string, drawing: SVGElement, name: HTMLElement, words: string, box: HTMLElement }} graph */
  function drawGraph({ kind, drawing, name, words, box: around }) {
    const values = steps.map((step) => /** @type {number | null} */ (step[/** @type {"depth"} */ (kind)]));
    const known = values.filter((value) => value !== null);
    around.hidden = known.length === 0;
    const most = Math.max(1, ...known.map(Number));
    const height = (/** @type {number} */ value) => (kind === "evaluation" ? 40 - 37 * Math.tanh(value / 400) : 77 - 74 * value / most);
    const x = (/** @type {number} */ at) => (steps.length > 1 ? (360 * at / (steps.length - 1)).toFixed(1) : "0");
    const drawn = [svg("path", { class: "zero", d: kind === "evaluation" ? "M0 40H360" : "M0 77H360" })];
    for (const black of [false, true]) {
      let path = "";
      steps.forEach((step, at) => {
        const value = values[at];
        if (at > 0 && step.black === black && value !== null) path += (path ? "L" : "M") + x(at) + " " + height(value).toFixed(1);
      });
      if (path) drawn.push(svg("path", { class: "curve side-" + (black ? 1 : 0), d: path }));
    }
    drawn.push(svg("path", { class: "here", d: "M" + x(ply) + " 0V80" }));
    drawing.replaceChildren(...drawn);
    const unit = { time: game?.clock ? "Time left, most " + shownClock(100 * most) : "Time used, most " + most / 10 + " s", depth: "Depth, most " + most, speed: "Speed, most " + shownSpeed(most) };
    name.textContent = unit[/** @type {"depth"} */ (kind)] || words;
  }

  function listMoves() {
    /** @type {HTMLElement[]} */
    const whole = [];
    steps.forEach((step, at) => {
      if (at === 0) return;
      if (!step.black || at === 1) whole.push(html("span", "whole", step.number + (step.black ? "…" : ".") + " "));
      const made = /** @type {HTMLButtonElement} */ (html("button", step.book ? "book" : "", step.san));
      Object.assign(made, { type: "button", tabIndex: -1 });
      made.addEventListener("click", () => go(at));
      whole[whole.length - 1].append(made, " ");
    });
    moves.replaceChildren(...whole.flatMap((one) => [one, " "]));
  }

  function entitle() {
    if (!game) return;
    const state = game.end === null ? "running" : [game.result, game.end].filter(Boolean).join(", ");
    title.textContent = "Game " + game.round + (game.playoff ? " (" + game.playoff + ")" : "") + ": " + state;
  }

  /** Shows a game among these, at a half-move if one is given. @param {Game} shown @param {Game[]} among @param {string} where @param {number | null} at */
  function open(shown, among, where, at) {
    const same = game !== null && game.round === shown.round && prefix === where;
    [game, all, prefix, steps] = [shown, among, where, replay(shown)];
    entitle();
    listMoves();
    if (!same || at !== null) ply = Math.min(steps.length - 1, at ?? (shown.end === null ? steps.length - 1 : 0));
    if (!box.open) box.showModal();
    if (!same) box.focus({ preventScroll: true });
    draw();
  }

  /** A running game has gone on. @param {Game} changed */
  function renew(changed) {
    const ended = game === null || game.end !== null;
    if (followed && ended && changed.end === null && changed.round !== game?.round && changed.players.includes(followed)) {
      return open(changed, [...runningGames.values()], "", null);
    }
    if (!game || game.round !== changed.round || game.end !== null) return;
    const follows = ply === steps.length - 1;
    const known = steps.length;
    [game, steps] = [changed, replay(changed)];
    if (follows) ply = steps.length - 1;
    if (steps.length !== known) listMoves();
    entitle();
    draw();
  }

  /** The games of this engine are opened, this one and those that follow; of none: no more. @param {string} name */
  function follow(name) {
    followed = name;
    const running = [...runningGames.values()].find((one) => one.end === null && one.players.includes(name));
    if (running && running.round !== game?.round) open(running, [...runningGames.values()], "", null);
    else draw();
  }

  /** After a connection was lost: what does not run any more is not shown as if it did. */
  async function forget() {
    const shown = game;
    if (!shown || shown.end !== null || runningGames.has(shown.round)) return;
    const ended = await fetchGame(shown.round);
    if (ended && game === shown) renew(ended);
  }

  return { open, renew, follow, forget, tick, close };
}

/** It is made when it is first wanted. @type {ReturnType<typeof makeViewer> | null} */
let viewer = null;
const openViewer = () => (viewer ||= makeViewer());
