// How long a browser that runs takes from its request for a live page to the first picture with boards, how many bytes come, and
// what it does meanwhile.
//
//     arbiter960 run configs/quickstart.toml --web 9600 &
//     node benches/first_board.mjs http://127.0.0.1:9600/ [9]     # so many times, with no cache
//
// The page and an empty one, which this script serves, are opened by turns in one tab: what the empty one takes is the browser's
// own. Needs Node and Chromium, which is driven by its DevTools protocol over two pipes. Nothing is drawn before the script has
// put up the boards, so the first picture has them; milliseconds are the browser's own, from the begin of the request. The
// browser's processors are what all its threads used up to that picture, which grows less with the machine's load.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [address, times = "9"] = process.argv.slice(2);
const empty = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<!DOCTYPE html><title>Empty</title><p>Nothing.")).listen(0, "127.0.0.1");
await new Promise((done) => empty.once("listening", done));
const profile = mkdtempSync(join(tmpdir(), "first-board-"));
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=" + profile],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const answers = new Map();
let [last, rest, heard] = [0, "", (_) => {}];
browser.stdio[4].on("data", (data) => {
  const messages = (rest + data).split("\0");
  rest = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) message.id ? answers.get(message.id)?.(message.result) : heard(message);
});
const ask = (method, params = {}, sessionId = undefined) => new Promise((done) => {
  answers.set(++last, done);
  browser.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId }) + "\0");
});

const seen = (wanted) => `new Promise((done) => {
  const look = () => {
    const [page] = performance.getEntriesByType("navigation");
    const first = performance.getEntriesByName("first-contentful-paint")[0];
    if (!first || !document.querySelector("${wanted}")) return setTimeout(look, 20);
    const bytes = [page, ...performance.getEntriesByType("resource").filter((one) => /page\\.(css|js)$/.test(one.name))].map((one) => one.encodedBodySize);
    done([first.startTime - page.requestStart, page.responseEnd - page.requestStart, bytes.reduce((sum, one) => sum + one)]);
  };
  look();
})`;

/** What all threads of the browser did until the first picture, in milliseconds of their processors, and of these the page's own by kind of work. */
function work(events) {
  const paint = events.find((one) => one.name === "firstContentfulPaint");
  const begin = events.find((one) => one.name === "navigationStart" && one.args.frame === paint?.args.frame && one.ts <= paint.ts);
  const all = events.filter((one) => one.ph === "X" && one.ts >= (begin?.ts || 0) && one.ts < paint?.ts);
  const sum = (events) => events.reduce((sum, one) => sum + (one.tdur || 0), 0) / 1000;
  const of = (...names) => sum(all.filter((one) => one.pid === paint.pid && one.tid === paint.tid && names.includes(one.name)));
  return [sum(all.filter((one) => one.name === "ThreadControllerImpl::RunTask")), of("ThreadControllerImpl::RunTask"), of("ParseHTML"), of("EvaluateScript", "v8.compile"), of("UpdateLayoutTree"), of("Layout"), of("PrePaint", "Paint", "Layerize")];
}

const { targetId } = await ask("Target.createTarget", { url: "about:blank", newWindow: true, width: 1280, height: 900 });
const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
await ask("Network.enable", {}, sessionId);
await ask("Network.setCacheDisabled", { cacheDisabled: true }, sessionId);

async function open(page, wanted) {
  const events = [];
  let ended;
  const over = new Promise((done) => { ended = done; });
  heard = (message) => {
    if (message.method === "Tracing.dataCollected") events.push(...message.params.value);
    if (message.method === "Tracing.tracingComplete") ended();
  };
  await ask("Tracing.start", { categories: "toplevel,devtools.timeline,loading,blink.user_timing,v8", transferMode: "ReportEvents" });
  await ask("Page.navigate", { url: page }, sessionId);
  const found = await ask("Runtime.evaluate", { expression: seen(wanted), awaitPromise: true, returnByValue: true }, sessionId);
  await ask("Tracing.end");
  await over;
  return [found.result.value, work(events)];
}

const all = { boards: [], nothing: [] };
// The first pair warms the browser.
for (let time = 0; time <= Number(times); time++) {
  const nothing = await open(`http://127.0.0.1:${empty.address().port}/`, "p");
  const boards = await open(address, ".game .piece");
  if (time > 0) [all.nothing, all.boards].forEach((list, which) => list.push([nothing, boards][which]));
}
const shown = (values) => {
  const sorted = values.sort((one, other) => one - other);
  return [0, sorted.length >> 1, sorted.length - 1].map((place) => sorted[place].toFixed(0)).join(", ");
};
const middle = (values) => values.sort((one, other) => one - other)[values.length >> 1].toFixed(0);
for (const [name, list] of Object.entries(all)) {
  const of = (which) => list.map(([, done]) => done[which]);
  console.log(`${name}: least, median, most of ${list.length}: first picture after ${shown(list.map(([found]) => found[0]))} ms, the page's text after ${shown(list.map(([found]) => found[1]))} ms; `
    + `${(list[0][0][2] / 1000).toFixed(1)} kB with style and script; the browser's processors ${middle(of(0))} ms, of which the page ${middle(of(1))}: parsing ${middle(of(2))}, script ${middle(of(3))}, style ${middle(of(4))}, layout ${middle(of(5))}, paint ${middle(of(6))}`);
}
browser.on("exit", () => rmSync(profile, { recursive: true, force: true }));
empty.close();
await ask("Browser.close");
