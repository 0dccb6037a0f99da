// @ts-check
"use strict";
// What is done when the page is there.

const view = /(wall|start|overlay|desk)$/.exec(location.pathname);
if (view) document.documentElement.classList.add(view[1] === "start" ? "hall" : view[1]);
startFilters(document);
const desk = view && view[1] === "desk" ? openDesk() : null;
/** The address is followed: its game is shown, or there is none. */
let followed = Promise.resolve();
addEventListener("hashchange", () => { followed = follow(); });
// Also where it is already: its game may have been closed since.
addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) followed = follow();
});
// A live page is told first what runs.
if (document.getElementById("boards")) startFeed();
else {
  startFigures();
  follow().finally(() => { document.documentElement.dataset.ready = "yes"; });
}
