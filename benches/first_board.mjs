// How long a browser takes from its request for a live page to the first picture with boards, and how many bytes come.
//
//     arbiter960 run configs/quickstart.toml --web 9600 &
//     node benches/first_board.mjs http://127.0.0.1:9600/ [9]     # so many times, each in a window of its own, with no cache
//
// Needs Node and Chromium, which is driven by its DevTools protocol over two pipes. Nothing is drawn before the script has
// put up the boards, so the first picture has them; milliseconds are the browser's own, from the begin of the request.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [address, times = "9"] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "first-board-"));
const browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=" + profile],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const answers = new Map();
let [last, rest] = [0, ""];
browser.stdio[4].on("data", (data) => {
  const messages = (rest + data).split("\0");
  rest = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) answers.get(message.id)?.(message.result);
});
const ask = (method, params = {}, sessionId = undefined) => new Promise((done) => {
  answers.set(++last, done);
  browser.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId }) + "\0");
});

const seen = `new Promise((done) => {
  const look = () => {
    const [page] = performance.getEntriesByType("navigation");
    const first = performance.getEntriesByName("first-contentful-paint")[0];
    if (!first || !document.querySelector(".game .piece")) return setTimeout(look, 20);
    const bytes = [page, ...performance.getEntriesByType("resource").filter((one) => /page\\.(css|js)$/.test(one.name))].map((one) => one.encodedBodySize);
    done([first.startTime - page.requestStart, page.responseEnd - page.requestStart, bytes.reduce((sum, one) => sum + one)]);
  };
  look();
})`;

const all = [];
// The first starts the browser's processes.
for (let time = 0; time <= Number(times); time++) {
  const { browserContextId } = await ask("Target.createBrowserContext");
  const { targetId } = await ask("Target.createTarget", { url: "about:blank", browserContextId, width: 1280, height: 900 });
  const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
  await ask("Page.navigate", { url: address }, sessionId);
  const found = await ask("Runtime.evaluate", { expression: seen, awaitPromise: true, returnByValue: true }, sessionId);
  if (time > 0) all.push(found.result.value);
  await ask("Target.disposeBrowserContext", { browserContextId });
}
const middle = (which) => all.map((one) => one[which]).sort((one, other) => one - other);
const [first, page] = [middle(0), middle(1)];
const shown = (values) => [0, values.length >> 1, values.length - 1].map((place) => values[place].toFixed(0)).join(", ");
console.log(`least, median, most of ${all.length}: first boards after ${shown(first)} ms, the page's text after ${shown(page)} ms; ${(all[0][2] / 1000).toFixed(1)} kB with style and script`);
browser.on("exit", () => rmSync(profile, { recursive: true, force: true }));
await ask("Browser.close");
