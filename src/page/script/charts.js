// @ts-check
"use strict";
// Figures, drawn from the tables of numbers on the page: curves, intervals, bars, the map of start numbers. An element
// `event-figures` says which are wanted at its place; one that would show nothing is not drawn.

/**
 * @typedef {Record<string, any[]>} DataTable Its columns.
 * @typedef {{ engines: string[], running: boolean, mean: number | null, spread: [number, number, number] | null, twins: string | null,
 *   test: { bounds: [number, number], llr: number, pairs: number, decision: string } | null }} EventData
 * @typedef {{ prefix: string, event: EventData, tables: Record<string, DataTable> }} FigureData
 * @typedef {[number, number]} Point
 */

/** Fewer start positions have no map, and no picture of how they differ. */
const FEWEST_STARTS = 24;
/** Cells in a row of the map, and the side of a cell with the line beside it (`page.css` has the side without it). */
const CELLS = 32;
const SIDE = 20;
/** Width of a figure, about that of its column: letters have the size of others. */
const WIDTH = Math.round(Math.max(380, Math.min(720, innerWidth / (innerWidth > 992 ? 2.2 : 1.1))));

/** @param {number} number @param {string} noun */
const counted = (number, noun) => number + " " + noun + (number === 1 ? "" : "s");

/** With a sign, and never `-0.0`. @param {number} value @param {number} decimals */
function signed(value, decimals = 1) {
  const size = Math.abs(value).toFixed(decimals);
  return (value < 0 && Number(size) !== 0 ? "-" : "+") + size;
}

/** `+12.3 [+2.3, +22.1]`. @param {number | null} value @param {number | null} low @param {number | null} high @param {number} decimals */
function shownEstimate(value, low, high, decimals = 1) {
  return value === null ? "" : `${signed(value, decimals)} [${low === null ? "-inf" : signed(low, decimals)}, ${high === null ? "+inf" : signed(high, decimals)}]`;
}

// ---- axes and marks ----

/** Both ends of an axis with some room. @param {number[]} values */
function endsOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high > low ? 0.03 * (high - low) : Math.max(0.5, 0.05 * Math.abs(low));
  return [low - room, high + room];
}

/** About this number of round values between two ends. @param {number[]} ends @param {number} about @param {number} least The smallest step. */
function ticks([low, high], about, least) {
  const rough = Math.max((high - low) / about, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= 0.999 * rough) || rough;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, place) => (first + place) * step);
}

/** @param {string} kind @param {number} x @param {number} y @param {string} words */
function label(kind, x, y, words) {
  const text = svg("text", { class: kind, x: x.toFixed(1), y: y.toFixed(1) });
  text.textContent = words;
  return text;
}

/**
 * A drawing with two axes, each with its name and values that it has to hold, and what can be drawn between them.
 * @param {string} name @param {[string, number[]]} across @param {[string, number[]]} up @param {boolean} counts Whole numbers across. @param {number} width
 */
function plot(name, [xName, xValues], [yName, yValues], counts = false, width = WIDTH) {
  const [height, left, right, top, bottom] = [300, 62, width - 14, 34, 256];
  const [xEnds, yEnds] = [endsOf(xValues), endsOf(yValues)];
  /** @param {number} value @param {number[]} ends @param {number} from @param {number} to */
  const place = (value, [low, high], from, to) => from + (Math.max(low, Math.min(high, value)) - low) / (high - low) * (to - from);
  const x = (/** @type {number} */ value) => place(value, xEnds, left, right);
  const y = (/** @type {number} */ value) => place(value, yEnds, bottom, top);
  const at = (/** @type {Point} */ [across, up]) => x(across).toFixed(1) + " " + y(up).toFixed(1);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name });
  const axes = svg("g", { class: "axis" });
  const shown = (/** @type {number} */ value) => String(Number(value.toPrecision(6))).replace("-", "−");
  for (const tick of ticks(yEnds, 5, 0)) {
    axes.append(svg("path", { class: "grid", d: `M${left} ${y(tick).toFixed(1)}H${right}` }), label("end", left - 6, y(tick) + 4, shown(tick)));
  }
  for (const tick of ticks(xEnds, width / 90, counts ? 1 : 0)) {
    axes.append(svg("path", { class: "grid", d: `M${x(tick).toFixed(1)} ${top}V${bottom}` }), label("middle", x(tick), bottom + 16, shown(tick)));
  }
  axes.append(label("middle", (left + right) / 2, height - 6, xName), label("", 2, 18, yName));
  drawing.append(axes);
  const path = (/** @type {string} */ kind, /** @type {string} */ d) => drawing.append(svg("path", { class: kind, d }));
  const line = (/** @type {string} */ kind, /** @type {Point[]} */ points) => path(kind, "M" + points.map(at).join("L"));
  return {
    drawing, line, xEnds,
    level: (/** @type {string} */ kind, /** @type {number} */ value) => line(kind, [[xEnds[0], value], [xEnds[1], value]]),
    /** @param {string} kind @param {Point[]} points */
    dots: (kind, points) => path(kind, points.map((point) => `M${at(point)}h0`).join("")),
    /** @param {string} kind @param {[number, number, number][]} bars Place, low, high. */
    bars: (kind, bars) => path(kind, bars.map(([where, low, high]) => `M${at([where, low])}V${y(high).toFixed(1)}`).join("")),
    /** @param {Point} point @param {string} words */
    words: (point, words) => {
      const beyond = x(point[0]) > 0.8 * width;
      drawing.append(label(beyond ? "end" : "", x(point[0]) + (beyond ? -6 : 6), y(point[1]) - 6, words));
    },
    /** Where many points share few places, the area of a dot says how many. @param {Point[]} points */
    countedDots(points) {
      /** @type {Map<string, number>} */
      const places = new Map();
      for (const point of points) places.set(at(point), (places.get(at(point)) || 0) + 1);
      if (2 * places.size > points.length) return this.dots("dots", points);
      const most = Math.max(...places.values());
      for (const [where, count] of places) {
        const [cx, cy] = where.split(" ");
        const dot = svg("circle", { class: "counted", cx, cy, r: (2 + 14 * Math.sqrt(count / most)).toFixed(1) });
        const words = svg("title", {});
        words.textContent = String(count);
        dot.append(words);
        drawing.append(dot);
      }
    },
  };
}

/** Horizontal bars with their words and their parts of all. @param {string} name @param {[string, number][]} rows */
function barChart(name, rows) {
  const all = rows.reduce((sum, [, count]) => sum + count, 0);
  const most = Math.max(...rows.map(([, count]) => count));
  const drawing = svg("svg", { class: "bar-chart", viewBox: `0 0 ${WIDTH} ${26 * rows.length + 6}`, role: "img", "aria-label": name });
  rows.forEach(([word, count], place) => {
    const [y, width] = [26 * place + 4, count / most * (WIDTH - 290)];
    drawing.append(label("end", 160, y + 14, word), svg("rect", { class: "bar", x: 168, y, width: width.toFixed(1), height: 18 }),
      label("", 174 + width, y + 14, `${count} (${(100 * count / all).toFixed(1)} %)`));
  });
  return drawing;
}

// ---- figures ----

/** A table as a file of comma-separated values. @param {string} name @param {DataTable} table */
function download(name, table) {
  const field = (/** @type {any} */ value) => {
    const text = String(value ?? "");
    return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const columns = Object.values(table);
  const rows = columns[0].map((_, place) => columns.map((column) => field(column[place])).join(","));
  const link = /** @type {HTMLAnchorElement} */ (html("a", "data", name + ".csv"));
  link.download = name + ".csv";
  link.href = "data:text/csv;charset=utf-8," + encodeURIComponent([Object.keys(table).join(","), ...rows, ""].join("\n"));
  return link;
}

/** @param {FigureData} data @param {string} name @param {string} title @param {string} words @param {Node[]} drawn @param {string} table */
function figure(data, name, title, words, drawn, table) {
  const head = html("h4", "", title);
  if (table && data.tables[table]) head.append(" ", download(table, data.tables[table]));
  const made = html("figure", "block", html("figcaption", "", head, html("p", "", words)), ...drawn);
  made.id = data.prefix + "figure-" + name;
  return made;
}

/** The rows of these columns in which the first two have values. @param {DataTable} table @param {string[]} names @returns {any[][]} */
function rowsOfTable(table, ...names) {
  const rows = (table[names[0]] || []).map((_, place) => names.map((name) => table[name][place] ?? null));
  return rows.filter((row) => row[0] !== null && row[1] !== null);
}

/** An Elo with its interval over the course of an event. @param {FigureData} data @param {string} column @param {[string, string, string, string]} words */
function narrowing(data, column, [name, title, begin, end]) {
  const rows = rowsOfTable(data.tables.course, "pairs", column, column + "_lo", column + "_hi");
  const last = rows.at(-1);
  // An interval that covers everything shows nothing.
  if (rows.length < 2 || !last || last.includes(null)) return null;
  const inside = (/** @type {number | null} */ value, /** @type {number} */ edge) => Math.max(-800, Math.min(800, value ?? edge));
  const points = rows.map(([pairs, elo, low, high]) => [pairs, inside(elo, 0), inside(low, -800), inside(high, 800)]);
  const drawing = plot(title, ["complete pairs", [0, last[0]]], ["Elo", points.slice(rows.length / 10).flatMap((row) => row.slice(1))], true);
  /** @param {number} which @returns {Point[]} */
  const line = (which) => points.map((row) => [row[0], row[which]]);
  drawing.line("band", [...line(2), ...line(3).reverse()]);
  drawing.level("zero", 0);
  drawing.line("curve", line(1));
  const now = `${data.event.running ? "So far" : "At the end"} ${shownEstimate(last[1], last[2], last[3])} after ${counted(last[0], "pair")}.`;
  return figure(data, name, title, `${begin} after every pair, with the 95 % interval that may be looked at all the time. ${now} ${end}`, [drawing.drawing], "course");
}

/** Mean time or depth of each engine by its own move number. @param {FigureData} data @param {string} column @param {string} title @param {string} unit */
function byMove(data, column, title, unit) {
  const rows = rowsOfTable(data.tables.moves, "move", column, "engine");
  const curves = data.event.engines.map((name) => ({ name, points: rows.filter((row) => row[2] === name).map((row) => /** @type {Point} */ ([row[0], row[1]])) }))
    .filter((curve) => curve.points.length > 1);
  // The same value everywhere shows nothing.
  if (curves.length === 0 || new Set(rows.map((row) => row[1])).size < 2) return null;
  // A search that sees a mate goes to any depth at once: a hundredth of the values may lie beyond.
  const values = rows.map((row) => row[1]).sort((one, other) => one - other);
  const most = values[Math.floor(0.99 * (values.length - 1))] || values[values.length - 1];
  const beyond = values.filter((value) => value > most).length;
  const words = "Means over the games that this page holds, by each engine's own move number." + (beyond ? " Drawn at the upper edge: " + beyond + " above." : "");
  // There are six colours; more engines have a drawing each, on one scale.
  if (curves.length > 6) {
    const numbers = [...new Set(rows.map((row) => row[0]))].sort((one, other) => one - other);
    const all = numbers.map((number) => rows.filter((row) => row[0] === number).map((row) => row[1]));
    const field = all.map((found, place) => /** @type {Point} */ ([numbers[place], found.reduce((sum, one) => sum + one, 0) / found.length]));
    const last = numbers[numbers.length - 1];
    const path = (/** @type {string} */ kind, /** @type {Point[]} */ points) => svg("path", { class: kind, d: "M" + points.map(([move, value]) => (240 * move / last).toFixed(1) + " " + (78 - 76 * Math.min(1, value / most)).toFixed(1)).join("L") });
    const small = curves.map(({ name, points }) => {
      const drawing = svg("svg", { viewBox: "0 0 240 80", preserveAspectRatio: "none", role: "img", "aria-label": title + ": " + name });
      drawing.append(path("grid", [[0, 0], [last, 0]]), path("zero", field), path("curve", points));
      return html("li", "", html("b", "", name), drawing);
    });
    const made = figure(data, column, title, `${words} Of each: ${unit}, from 0 to ${Number(most.toPrecision(3))}, at moves 1 to ${last}; dashed, the mean of all engines.`, [html("ul", "multiples", ...small)], "moves");
    made.classList.add("span");
    return made;
  }
  const drawing = plot(title, ["the engine's own move", rows.map((row) => row[0])], [unit, [0, most]], true);
  const legend = html("ul", "legend");
  curves.forEach(({ name, points }, place) => {
    const kind = "curve e" + place;
    drawing.line(kind, points);
    const sample = svg("svg", { class: "sample", viewBox: "0 0 30 10", "aria-hidden": "true" });
    sample.append(svg("path", { class: kind, d: "M1 5h28" }));
    legend.append(html("li", "", sample, name));
  });
  return figure(data, column, title, words, [drawing.drawing, legend], "moves");
}

/** A scatter of two scores or estimates, with the line on which both are equal. @param {string} title @param {Point[]} points @param {string[]} names */
function scatter(title, points, [across, up]) {
  const all = points.flat();
  const drawing = plot(title, [across, all], [up, all]);
  const ends = /** @type {[number, number]} */ (drawing.xEnds);
  drawing.line("zero", [[ends[0], ends[0]], [ends[1], ends[1]]]);
  drawing.countedDots(points);
  return drawing.drawing;
}

/** @type {Record<string, (data: FigureData) => HTMLElement | null>} */
const FIGURES = {
  sprt(data) {
    const [test, rows] = [data.event.test, /** @type {Point[]} */ (rowsOfTable(data.tables.course, "pairs", "llr"))];
    if (!test || rows.length === 0) return null;
    const [low, high] = test.bounds;
    const drawing = plot("The sequential test", ["complete pairs", [0, rows[rows.length - 1][0]]], ["LLR", [low, high, ...rows.map((row) => row[1])]], true);
    for (const bound of test.bounds) drawing.level("bound", bound);
    drawing.level("zero", 0);
    drawing.line("curve", rows);
    drawing.words([0, high], "H1 accepted");
    drawing.words([0, low], "H0 accepted");
    const words = `The log-likelihood ratio after every pair. The test ends at ${low.toFixed(2)} or ${high.toFixed(2)}. `
      + `Now ${signed(test.llr, 2).replace("+", "")} on ${counted(test.pairs, "pair")}: ${test.decision}.`;
    return figure(data, "sprt", "The sequential test", words, [drawing.drawing], "course");
  },
  elo: (data) => narrowing(data, "elo", ["elo", "Elo as it narrowed", `Elo of ${data.event.engines[0]}`, "The interval for one look at the end is narrower."]),
  white: (data) => narrowing(data, "white_elo", ["white", "White's advantage as it narrowed", "White's Elo over pairs with the colours swapped,",
    "It is the mean over what was played; stats also has the advantage between equal engines."]),
  pairs(data) {
    const rows = rowsOfTable(data.tables.pairs, "points", "pairs");
    const all = rows.reduce((sum, row) => sum + row[1], 0);
    if (all === 0) return null;
    const words = `${counted(all, "complete pair")} by the points of ${data.event.engines[0]} in both games. Pairs, not games, are what a match is judged by.`;
    return figure(data, "pairs", "Pairs by points", words, [barChart("Pairs by points", /** @type {[string, number][]} */ (rows))], "pairs");
  },
  terminations(data) {
    const rows = /** @type {[string, number][]} */ (rowsOfTable(data.tables.terminations, "end", "games"));
    const all = rows.reduce((sum, row) => sum + row[1], 0);
    return rows.length === 0 ? null
      : figure(data, "terminations", "How games ended", `The reasons for which ${counted(all, "game")} ended.`, [barChart("How games ended", rows)], "terminations");
  },
  time: (data) => byMove(data, "seconds", "Time by move number", "mean time, s"),
  depth: (data) => byMove(data, "depth", "Depth by move number", "mean depth, plies"),
  estimates(data) {
    const rows = rowsOfTable(data.tables.positions, "elo", "elo_lo", "elo_hi", "number").filter((row) => row[2] !== null).sort((one, other) => one[0] - other[0]);
    if (rows.length < FEWEST_STARTS / 3) return null;
    // A few very wide intervals end at the edge of the drawing.
    const tenth = Math.floor(rows.length / 10);
    const ends = [...rows.map((row) => row[1]).sort((one, other) => one - other).slice(tenth), ...rows.map((row) => row[2]).sort((one, other) => other - one).slice(tenth)];
    const drawing = plot("Estimates with intervals", ["position, by estimate", [1, rows.length]], ["White's advantage, Elo", [...ends, ...rows.map((row) => row[0])]], true, innerWidth > 992 ? 1300 : WIDTH);
    drawing.level("zero", 0);
    if (data.event.mean !== null) drawing.level("mean", data.event.mean);
    drawing.bars("bars", rows.map((row, place) => [place + 1, row[1], row[2]]));
    drawing.dots("dots", rows.map((row, place) => [place + 1, row[0]]));
    const standard = rows.findIndex((row) => row[3] === 518);
    if (standard >= 0) {
      const [elo, low, high] = rows[standard];
      drawing.bars("bars mark", [[standard + 1, low, high]]);
      drawing.dots("dots mark", [[standard + 1, elo]]);
      drawing.words([standard + 1, high], "518");
    }
    const orthodox = standard < 0 ? "" : `; number 518, the orthodox start, is ${shownEstimate(rows[standard][0], rows[standard][1], rows[standard][2], 0)}`;
    const words = `The ${rows.length} estimates of White's advantage from the smallest to the largest, each with its 95 % interval${orthodox}. `
      + "The solid line is their mean. Where nearly all intervals overlap, the order is mostly chance.";
    const made = figure(data, "estimates", "Do the start positions differ?", words, [drawing.drawing], "positions");
    made.classList.add("two");
    return made;
  },
  map: drawMap,
  effects({ event, ...data }) {
    if (!event.spread || event.mean === null || rowsOfTable(data.tables.positions, "back_rank", "elo").length < FEWEST_STARTS) return null;
    const [mean, [tau, low, high]] = [event.mean, event.spread];
    const reach = Math.max(10, 3.2 * high);
    const drawing = plot("Distribution of true effects", ["true advantage of a position, Elo", [mean - reach, mean + reach]], ["relative frequency", [0, 1]]);
    [[low, "curve faint"], [high, "curve faint"], [tau, "curve"]].forEach(([value, kind]) => {
      // With a spread near 0 the curve would be a needle that hides the others.
      const deviation = Math.max(Number(value), 0.012 * reach);
      const at = (/** @type {number} */ step) => mean + reach * (step / 80 - 1);
      drawing.line(String(kind), Array.from({ length: 161 }, (_, step) => [at(step), Math.exp(-0.5 * ((at(step) - mean) / deviation) ** 2)]));
    });
    drawing.words([mean + Math.min(tau, reach / 2), 0.62], `τ = ${tau.toFixed(0)} Elo`);
    const words = `How White's true advantage varies over positions: standard deviation τ = ${tau.toFixed(1)} Elo, 95 % [${low.toFixed(1)}, ${high.toFixed(1)}], drawn as normal `
      + `distributions around the mean of ${signed(mean)} (thin lines: both ends of the interval; heights are relative). `
      + "An interval that reaches to 0 does not show that positions differ.";
    return figure({ event, ...data }, "effects", "Distribution of true effects", words, [drawing.drawing], "");
  },
  funnel(data) {
    const results = rowsOfTable(data.tables.positions, "white_wins", "draws", "white_losses");
    const [wins, draws, losses] = [0, 1, 2].map((which) => results.reduce((sum, row) => sum + row[which], 0));
    const all = wins + draws + losses;
    const points = results.map((row) => /** @type {Point} */ ([row[0] + row[1] + row[2], 100 * (row[0] + row[1] / 2) / (row[0] + row[1] + row[2])]));
    const games = points.map((point) => point[0]);
    const [fewest, most] = [Math.min(...games), Math.max(...games)];
    // Where all have about the same number of games there is no funnel.
    if (points.length < FEWEST_STARTS || most < 2 * fewest) return null;
    const mean = (wins + draws / 2) / all;
    const deviation = Math.sqrt(Math.max(0, (wins + draws / 4) / all - mean * mean));
    const ends = [Math.max(1, fewest - 1), most + 1];
    /** @param {number} sign @returns {Point[]} */
    const limit = (sign) => Array.from({ length: 61 }, (_, step) => {
      const number = ends[0] + step / 60 * (ends[1] - ends[0]);
      return [number, 100 * Math.max(0, Math.min(1, mean + sign * 1.96 * deviation / Math.sqrt(number)))];
    });
    const outside = points.filter(([number, score]) => Math.abs(score / 100 - mean) > 1.96 * deviation / Math.sqrt(number) + 1e-12).length;
    const drawing = plot("Funnel of scores", ["games", ends], ["White's score, %", [0, 100]], true);
    drawing.line("band", [...limit(-1), ...limit(1).reverse()]);
    drawing.level("zero", 100 * mean);
    drawing.countedDots(points);
    const words = "Each position's plain score against its number of games. If no position were special and all games independent, about 95 % "
      + `of the ${points.length} would lie in the band around the mean of ${(100 * mean).toFixed(1)} %; ${outside} lie outside, ${(0.05 * points.length).toFixed(0)} are expected to.`;
    return figure(data, "funnel", "Scores against games", words, [drawing.drawing], "");
  },
  twins(data) {
    const rows = rowsOfTable(data.tables.positions, "back_rank", "raw");
    const scores = new Map(/** @type {[string, number][]} */ (rows));
    const mirrored = (/** @type {string} */ ranks) => ranks.split("/").map((rank) => [...rank].reverse().join("")).join("/");
    const points = rows.flatMap(([ranks, score]) => {
      const twin = scores.get(mirrored(ranks));
      return ranks < mirrored(ranks) && twin !== undefined ? [/** @type {Point} */ ([100 * score, 100 * twin])] : [];
    });
    if (!data.event.twins || points.length < FEWEST_STARTS / 2) return null;
    const words = `Each position and its left-right mirror image, which differ by castling alone: ${counted(points.length, "pair")} of twins. If positions differ, twins agree; `
      + `that they share nothing: ${data.event.twins}. The area of a large dot says how many pairs are there.`;
    return figure(data, "twins", "Mirror twins", words, [scatter("Mirror twins", points, ["White's score, %", "score of its mirror twin, %"])], "");
  },
  maps(data) {
    const points = /** @type {Point[]} */ (rowsOfTable(data.tables.maps, "first_elo", "second_elo"));
    const [first, second] = data.event.engines;
    const words = points.length < 2 ? "They have no starts in common."
      : "White's advantage at each start in the first (across) and in the second (up), not drawn towards anything. On the dashed line both are equal.";
    const drawn = points.length < 2 ? [] : [scatter("Two maps", points, ["advantage in the first, Elo", "advantage in the second, Elo"])];
    return figure(data, "maps", `${first} beside ${second}`, words, drawn, "maps");
  },
};

// ---- the map of start numbers ----

/** A cell for each start; its colour is the estimate there. @param {FigureData} data */
function drawMap(data) {
  const { prefix, event, tables: { positions } } = data;
  const count = positions ? positions.elo.length : 0;
  if (count < FEWEST_STARTS || positions.elo.every((elo) => elo === null)) return null;
  const centre = event.mean ?? 0;
  const elo = positions.elo.map((value) => value ?? centre);
  const widest = Math.max(1, ...elo.map((value) => Math.abs(value - centre)));
  const ranks = positions.back_rank.map((rank) => rank || "");
  /** What castling depends on. */
  const files = ranks.map((rank) => [rank.indexOf("K"), rank.indexOf("R"), rank.lastIndexOf("R")].join(""));
  const numbers = [...Array(count).keys()];
  /** @param {(one: number, other: number) => number} order */
  const placesBy = (order) => {
    const sorted = [...numbers].sort((one, other) => order(one, other) || one - other);
    return numbers.map((start) => sorted.indexOf(start));
  };
  /** @type {Record<string, [string, number[]]>} */
  const orders = {
    n: ["start number", numbers], e: ["estimate", placesBy((one, other) => elo[one] - elo[other])],
    f: ["files of king and rooks", placesBy((one, other) => files[one].localeCompare(files[other]))],
  };
  const isNamed = positions.verdict.map((verdict) => verdict && verdict !== "not_distinguishable");
  // A page that grows has no table of positions, to which cells lead.
  const rows = document.getElementById(prefix + "positions")?.querySelectorAll("tbody tr");
  const map = svg("svg", { class: "map", id: prefix + "map", viewBox: `0 0 ${CELLS * SIDE} ${Math.ceil(count / CELLS) * SIDE}`, role: "group", "aria-label": "Estimates by start number" });
  const cells = numbers.map((start) => {
    const kind = [`h${Math.round(4 * (elo[start] - centre) / widest) + 4}`, positions.number[start] === 518 ? "mark" : "", isNamed[start] ? "" : "faint"];
    const field = svg("rect", { class: kind.filter(Boolean).join(" ") });
    const words = svg("title", {});
    const estimate = shownEstimate(positions.elo[start], positions.elo_lo[start], positions.elo_hi[start], 0);
    words.textContent = [positions.number[start] ?? "-", ranks[start], estimate].join(" ").trim();
    field.append(words);
    const cell = svg(rows ? "a" : "g", rows ? { href: "#" + rows[start].id, tabindex: start ? -1 : 0 } : {});
    cell.append(field);
    return cell;
  });
  map.append(...cells);
  let places = numbers;
  const arrange = () => cells.forEach((cell, start) => {
    cell.firstElementChild?.setAttribute("x", String(places[start] % CELLS * SIDE));
    cell.firstElementChild?.setAttribute("y", String(Math.floor(places[start] / CELLS) * SIDE));
  });
  arrange();
  const choice = html("fieldset", "orders", html("legend", "", "Order"), ...Object.entries(orders).map(([value, [name]]) => {
    const button = /** @type {HTMLInputElement} */ (html("input", ""));
    Object.assign(button, { type: "radio", name: prefix + "order", value, checked: value === "n" });
    button.addEventListener("change", () => { places = orders[value][1]; arrange(); });
    return html("label", "", button, name);
  }));
  const readout = html("p", "readout", "Every cell is a row of the table below; with the Tab key arrows go from cell to cell. Number 518 has a frame.");
  readout.id = prefix + "readout";
  readout.setAttribute("aria-live", "polite");
  const scale = html("p", "scale", `${signed(centre - widest, 0)} Elo `, ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((kind) => html("span", "swatch h" + kind)), ` ${signed(centre + widest, 0)} Elo`);
  scale.setAttribute("aria-hidden", "true");
  if (rows) listenToMap(map, cells, readout, (start) => places[start]);
  const named = isNamed.filter(Boolean).length;
  const told = named ? `${named} in full colour can be told from the average; faded ones cannot.` : "Every cell is faded: no position can be told from the average.";
  const words = `A cell for each of ${count} start positions. Its colour is the estimate of White's advantage there, from ${signed(centre - widest, 0)} to `
    + `${signed(centre + widest, 0)} Elo around the mean of ${signed(centre)}. ${told} Estimates are drawn towards the mean by what is chance in them; neighbours in `
    + "the order by estimate are not told apart by that order.";
  const made = figure(data, "map", "The start numbers", words, rows ? [choice, map, readout, scale] : [map, scale], "positions");
  made.classList.toggle("tall", count > 8 * CELLS);
  return made;
}

/**
 * The cell that is looked at is told; the map is one stop of the Tab key, and arrows go from cell to cell in the order that is seen.
 * @param {SVGElement} map @param {SVGElement[]} cells @param {HTMLElement} readout @param {(start: number) => number} placeOf
 */
function listenToMap(map, cells, readout, placeOf) {
  const told = (/** @type {Element | null} */ target) => cells.findIndex((cell) => target !== null && cell.contains(target));
  /** @param {number} start */
  const show = (start) => {
    const words = cells[start].textContent || "";
    const rank = words.split(" ")[1].split("/")[0];
    readout.replaceChildren(words);
    if (!/^[KQRBNP]{8}$/.test(rank)) return;
    const row = svg("svg", { viewBox: "0 0 256 32", "aria-hidden": "true" });
    [...rank].forEach((letter, file) => row.append(piece(letter, 32 * file, 0, 32)));
    readout.append(row);
  };
  map.addEventListener("mouseover", (event) => {
    const start = told(/** @type {Element} */ (event.target));
    if (start >= 0) show(start);
  });
  for (const [start, cell] of cells.entries()) {
    cell.addEventListener("focus", () => {
      for (const one of cells) one.setAttribute("tabindex", one === cell ? "0" : "-1");
      show(start);
    });
  }
  map.addEventListener("keydown", (event) => {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -CELLS, ArrowDown: CELLS, Home: -cells.length, End: cells.length };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const wanted = Math.max(0, Math.min(cells.length - 1, placeOf(told(/** @type {Element} */ (event.target))) + step));
    cells.find((_, start) => placeOf(start) === wanted)?.focus();
  });
}

/** Figures are drawn where they stand, and where they come later. */
const startFigures = () => customElements.define("event-figures", class extends HTMLElement {
  connectedCallback() {
    const prefix = this.dataset.of || "";
    const blocks = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`script[data-of="${prefix}"]`));
    const tables = Object.fromEntries([...blocks].map((block) => [block.dataset.table, Object.fromEntries(JSON.parse(block.textContent || "[]"))]));
    const data = { prefix, event: tables.event, tables };
    const drawn = wordsOf(this.dataset.figures).flatMap((name) => FIGURES[name](data) || []);
    // Low ones stand one above the other.
    const low = drawn.filter((one) => one.querySelector(".bar-chart"));
    if (low.length > 1) drawn.splice(drawn.indexOf(low[0]), low.length, html("div", "stack", ...low));
    this.replaceChildren(...drawn);
  }
});
