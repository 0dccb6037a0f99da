// @ts-check
"use strict";
// The feed of a live page: boards follow what the server tells, clocks run, tables and figures are fetched anew when they
// have changed.

/**
 * A whole game, or what follows half-move `from`, or only what is thought.
 * @typedef {{ lane: number, round: string, from?: number, clocks?: (number | null)[] } & Partial<Game>} Told
 */

function startFeed() {
  /** Between two looks for tables or figures. */
  const REST = 2000;
  /** After a connection that was lost. */
  const AGAIN = 4000;
  /** How long a game that has ended stays on its board before the next is shown. */
  const STAYS = 3000;
  /** What a game has for each half-move of the engines. */
  const LISTS = /** @type {const} */ (["evaluations", "depths", "times", "speeds", "nodes", "tbhits", "lines"]);

  /** @param {string} id */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** One lane: its game on a board. */
  function makeBoard() {
    const box = html("section", "game");
    const title = html("h3", "");
    const drawing = svg("svg", { viewBox: "0 0 360 360", role: "img", class: "board" });
    const link = /** @type {HTMLAnchorElement} */ (html("a", "field", drawing));
    const players = [playerLine("white"), playerLine("black")];
    const searches = [0, 1].map(() => html("p", "pv"));
    const end = html("p", "end");
    const moves = html("p", "moves");
    drawBoard(drawing, positionOf("8/8/8/8/8/8/8/8 w - - 0 1"), {});
    box.append(title, players[1].line, link, players[0].line, ...searches, end, moves);
    /** @type {Game | null} */
    let known = null;
    /** @type {Step[]} */
    let steps = [];
    let arrow = "";
    /** When the end of this game was first shown. */
    let ended = 0;
    /** @type {[Told, number][]} */
    let waiting = [];

    function draw() {
      if (!known) return;
      point(true);
      drawing.setAttribute("aria-label", "Board after " + (steps.length - 1) + " half-moves");
      end.textContent = known.end === null ? nearing(known) : [known.result, known.end].filter(Boolean).join(" · ");
      end.classList.toggle("nearing", known.end === null);
      // A game that is over is opened where it ended.
      link.href = "#game=" + known.round + (known.end === null ? "" : "&ply=" + (steps.length - 1));
      // Lines are broken between whole moves, never in one.
      const whole = [];
      for (const [place, one] of steps.slice(1).entries()) {
        if (!one.black || place === 0) whole.push(html("span", "", one.number + (one.black ? "… " : ". ")));
        const move = html("span", one.book ? "book" : "", one.san);
        if (one.book) move.title = "of the opening book";
        whole[whole.length - 1].append(one.black && place > 0 ? " " : "", move);
      }
      moves.replaceChildren(html("span", "", ...whole.flatMap((one) => [one, " "])));
    }

    /** The position with the expected move; drawn again if either has changed. @param {boolean} moved */
    function point(moved) {
      if (!known) return;
      const step = steps[steps.length - 1];
      const next = expected(known, steps, steps.length - 1);
      const words = next ? next.from + "-" + next.to : "";
      if (moved || words !== arrow) drawBoard(drawing, step.position, { ...step, arrow: next });
      arrow = words;
    }

    function think() {
      if (!known) return;
      const last = steps.length - 1;
      const running = known.end === null;
      lastSaid(known, steps, last).forEach((said, side) => {
        const player = players[side];
        player.line.classList.toggle("turn", running && steps[last].position.black === (side === 1));
        player.score.textContent = said.evaluation === null ? "" : shownEvaluation(said.evaluation);
        drawBar(player.bar, said.evaluation);
        let position = steps[Math.max(0, said.from)].position;
        const line = wordsOf(said.line).map((text) => {
          const step = drawnMove(text, position);
          if (step) position = step.position;
          return step ? step.san : "";
        });
        const search = [said.depth === null ? "" : "depth " + said.depth, said.speed === null ? "" : shownSpeed(said.speed)].filter(Boolean).join(" · ");
        searches[side].replaceChildren(disc(side ? "black" : "white"), " ", html("span", "depth", search), " ", line.join(" "));
      });
    }

    function tick() {
      if (!known) return;
      const { clocks, end, since } = known;
      const spent = end === null ? performance.now() - (since || 0) : 0;
      const mover = steps[steps.length - 1].position.black ? 1 : 0;
      (clocks || []).forEach((left, side) => {
        const text = left === null ? "" : shownClock(left - (side === mover ? spent : 0));
        if (players[side].clock.textContent !== text) players[side].clock.textContent = text;
      });
    }

    /** What the server tells of it; whether it follows from what is known. @param {Told} told */
    function hear(told) {
      const at = performance.now();
      const stays = ended + STAYS - at;
      const begins = told.fen !== undefined && known !== null && known.end !== null && known.round !== told.round;
      if (waiting.length === 0 && !(begins && stays > 0)) return take(told, at);
      if (waiting.length === 0) setTimeout(release, stays);
      // A whole game says all that was said before it.
      if (told.fen !== undefined) waiting = [];
      waiting.push([told, at]);
      return true;
    }

    /** The next game, which has waited for the end of the one before to be read. */
    function release() {
      const all = box.isConnected ? waiting : [];
      waiting = [];
      for (const [told, at] of all) take(told, at);
    }

    /** @param {Told} told @param {number} at When it was heard. */
    function take(told, at) {
      const had = known !== null && known.end !== null && known.round === told.round;
      if (told.fen !== undefined) {
        if (known && known.round !== told.round) runningGames.delete(known.round);
        known = /** @type {Game} */ (told);
        runningGames.set(known.round, known);
        begin(known);
      } else if (!known || known.round !== told.round) {
        return told.from === undefined;
      } else if (told.from === undefined) {
        known = { ...known, said: told.said };
      } else {
        const moves = wordsOf(known.moves);
        if (told.from > moves.length) return false;
        const { said, clocks = [], result = null, end = null, nearing = null } = told;
        const changed = { ...known, said, clocks, result, end, nearing, moves: moves.slice(0, told.from).concat(wordsOf(told.moves)).join(" ") };
        const own = Math.max(0, told.from - known.book);
        for (const list of LISTS) Object.assign(changed, { [list]: (known[list] || []).slice(0, own).concat(/** @type {any[]} */ (told[list] || [])) });
        known = changed;
      }
      if (told.clocks !== undefined) known.since = at;
      if (known.end !== null && !had) ended = performance.now();
      if (told.moves !== undefined) {
        steps = replay(known);
        draw();
      } else {
        point(false);
      }
      runningGames.set(known.round, known);
      think();
      tick();
      viewer?.renew(known);
      return true;
    }

    /** @param {Game} game */
    function begin(game) {
      title.replaceChildren(html("span", "round", "Game " + game.round));
      const kind = [game.playoff, game.number === null ? "" : "start " + game.number].filter(Boolean);
      if (kind.length) title.append(" ", html("span", "number", kind.join(" · ")));
      box.setAttribute("aria-label", "Game " + game.round);
      players.forEach((player, side) => {
        player.name.textContent = game.players[side];
        player.name.title = aboutEngine(game.players[side]);
      });
    }
    return { box, hear, tick, shows: (/** @type {(game: Game) => boolean} */ wanted) => known !== null && wanted(known), isEmpty: () => known === null && waiting.length === 0 };
  }

  /** @type {Map<number, ReturnType<typeof makeBoard>>} */
  let boards = new Map();

  function clearBoards() {
    boards = new Map();
    byId("boards").replaceChildren();
  }

  /** The board of a lane: its own, one for which room was left, or another. @param {number} lane @param {boolean} anew */
  function boardOf(lane, anew = false) {
    const known = boards.get(lane);
    if (known) return known;
    const room = anew ? undefined : [...boards].find(([, board]) => board.isEmpty());
    if (room) boards.delete(room[0]);
    const board = room ? room[1] : makeBoard();
    boards.set(lane, board);
    if (!room) byId("boards").append(board.box);
    return board;
  }

  function leaveNoRoom() {
    for (const [lane, board] of boards) if (board.isEmpty() && boards.delete(lane)) board.box.remove();
  }

  /** @param {Told[]} all @param {boolean} anew */
  function hearBoards(all, anew) {
    if (anew) {
      runningGames.clear();
      // Until the first games are over there is room for those that still begin.
      if (all.some((told) => !boards.has(told.lane)) || (all.length < boards.size && wasConnected)) clearBoards();
    }
    const follows = all.map((told) => boardOf(told.lane).hear(told)).every((follows) => follows);
    // Where one game has ended all lanes had time to begin: one without a game gets none.
    if ([...boards.values()].some((board) => board.shows((game) => game.end !== null))) leaveNoRoom();
    if (anew) viewer?.forget();
    if (isOverlay) showOne();
    showHall();
    return follows;
  }

  // ---- the overlay of a broadcast: one board, of a game, of an engine, or the first ----

  const isOverlay = document.documentElement.classList.contains("overlay");
  const asked = new URLSearchParams(location.search);
  let fetched = false;

  async function showOne() {
    const [round, engine] = [asked.get("game"), asked.get("engine")];
    const wanted = (/** @type {Game} */ game) => (round ? game.round === round : engine ? game.players.includes(engine) : true);
    const all = [...boards.values()];
    const shown = all.find((board) => board.shows(wanted));
    for (const board of all) board.box.hidden = board !== shown;
    if (shown || !round || fetched) return;
    fetched = true;
    const game = await fetchGame(round);
    if (game) boardOf(-1).hear(/** @type {Told} */ ({ ...game, lane: -1 }));
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
          if (name === "tables") showTables();
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

  /** Where the event stands, said again only if it is something else. @param {string} words */
  function sayState(words) {
    const state = byId("state");
    if (state.dataset.said !== words) state.textContent = state.dataset.said = words;
  }

  /** The tables are there: state, ranks, starts. */
  function showTables() {
    const tables = byId("tables");
    if (!over && connected) sayState(byId("phase").textContent || "");
    // No game begins before the time of its round.
    if (byId("phase").dataset.phase === "waiting") leaveNoRoom();
    drawBefore(document);
    rankByPercentage();
    for (const name of /** @type {NodeListOf<HTMLElement>} */ (tables.querySelectorAll("tbody th"))) name.title = aboutEngine(name.textContent || "");
    showHall();
    countDown();
    fitWall();
    desk?.renew();
    // What does not fit its height can be scrolled by keys. Sizes are asked for when they are known: the first boards do not wait.
    const answers = /** @type {HTMLElement | null} */ (tables.querySelector(".answers"));
    requestAnimationFrame(() => { if (answers && answers.scrollHeight > answers.clientHeight) answers.tabIndex = 0; });
  }

  /** A wall is not scrolled: rows that find no room are left out, of what comes first, then of the standings. */
  function fitWall() {
    const column = byId("tables");
    if (!document.documentElement.classList.contains("wall")) return;
    for (const [rows, least] of /** @type {[string, number][]} */ ([[".coming tbody tr", 3], ["[aria-label=Standings] tbody tr", 6]])) {
      const all = /** @type {HTMLElement[]} */ ([...column.querySelectorAll(rows)]);
      for (const row of all) row.hidden = false;
      while (all.length > least && column.scrollHeight > column.clientHeight) (all.pop() || column).hidden = true;
    }
  }

  const renewTables = part("tables");
  const renewFigures = part("figures");

  // ---- what the server tells ----

  // Room for the boards, so that nothing moves when they come.
  wordsOf(byId("boards").dataset.lanes).forEach((lane) => boardOf(Number(lane), true));
  let over = false;
  let connected = true;
  let wasConnected = false;
  /** Of a program that was started again, equal versions are other tables. */
  let connection = 0;
  const now = JSON.parse(document.getElementById("now")?.textContent || "[]");
  hearBoards(now, true);

  /** Whether what is seen is what is played: if not, clocks stand still. @param {boolean} is */
  function setConnected(is) {
    connected = is;
    byId("boards").classList.toggle("stale", !is);
  }

  function connect() {
    let closed = false;
    connection += 1;
    const version = (/** @type {unknown} */ told) => connection + "." + told;
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
      renewTables(version(now.tables));
      renewFigures(version(now.figures));
      over = false;
      setConnected(true);
      wasConnected = true;
      showTables();
      if (document.documentElement.dataset.ready !== "yes") follow();
      document.documentElement.dataset.ready = "yes";
    });
    source.addEventListener("boards", (event) => {
      const news = JSON.parse(event.data);
      if (!hearBoards(news.boards, false)) again();
      tellLost(news.lost, 0);
    });
    source.addEventListener("tables", (event) => renewTables(version(event.data)));
    source.addEventListener("figures", (event) => renewFigures(version(event.data)));
    source.addEventListener("over", () => {
      over = true;
      sayState("This run is over.");
      again();
    });
    source.addEventListener("error", () => {
      if (!over) sayState("The connection is lost. Trying again …");
      setConnected(false);
      again();
    });
  }

  // The first boards do not wait for what stands below them, nor for what is asked of the server.
  const root = document.documentElement;
  root.classList.toggle("first", now.length > 0);
  if (now.length > 0) drawBefore(document);
  else showTables();
  firstPicture.then(() => {
    root.classList.remove("first");
    if (now.length > 0) showTables();
    startFigures();
    connect();
    setInterval(() => {
      countDown();
      if (!connected) return;
      boards.forEach((board) => board.tick());
      viewer?.tick();
    }, 100);
  });
}
