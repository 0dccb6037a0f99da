// @ts-check
"use strict";
// What is done when the page is there.

document.documentElement.classList.toggle("wall", location.pathname.endsWith("/wall"));
startFilters(document);
/** The address is followed: its game is shown, or there is none. */
let followed = Promise.resolve();
addEventListener("hashchange", () => { followed = follow(); });
// A live page is told first what runs.
if (document.getElementById("boards")) startFeed();
else follow().finally(() => { document.documentElement.dataset.ready = "yes"; });
