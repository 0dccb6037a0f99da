// @ts-check
"use strict";
// The maps of start numbers: their order, the cell that is looked at, the way from cell to cell by keys.

function startMaps() {
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("fieldset.orders"))) {
    const prefix = box.dataset.map;
    const map = /** @type {HTMLElement} */ (document.getElementById(prefix + "map"));
    const readout = /** @type {HTMLElement} */ (document.getElementById(prefix + "readout"));
    const cells = /** @type {SVGAElement[]} */ (/** @type {unknown} */ ([...map.querySelectorAll("a")]));
    let which = 0;
    /** @param {Element} cell */
    const place = (cell) => Number((/** @type {SVGElement} */ (cell.firstElementChild).dataset.o || "").split(" ")[which]);
    /** @param {Element} cell */
    const show = (cell) => {
      const words = (cell.textContent || "").trim();
      const rank = words.split(" ")[1].split("/")[0];
      readout.replaceChildren(words);
      if (!/^[KQRBNP]{8}$/.test(rank)) return;
      const row = svg("svg", { viewBox: "0 0 256 32", "aria-hidden": "true" });
      [...rank].forEach((letter, file) => row.append(piece(letter, 32 * file, 0, 32)));
      readout.append(row);
    };
    box.hidden = false;
    box.addEventListener("change", () => {
      const chosen = /** @type {HTMLInputElement} */ (box.querySelector("input:checked"));
      which = "nef".indexOf(chosen.value);
      for (const cell of cells) {
        cell.firstElementChild?.setAttribute("x", String(place(cell) % 32 * 20));
        cell.firstElementChild?.setAttribute("y", String(Math.floor(place(cell) / 32) * 20));
      }
    });
    map.addEventListener("mouseover", (event) => {
      const cell = /** @type {Element} */ (event.target).closest("a");
      if (cell) show(cell);
    });
    // The map is one stop of the Tab key; arrows go from cell to cell, in the order that is seen.
    cells[0]?.setAttribute("tabindex", "0");
    // A drawing that listens to focus would get it itself in Chromium, so its figure listens.
    map.parentElement?.addEventListener("focusin", (event) => {
      const focused = /** @type {SVGAElement} */ (event.target);
      if (!cells.includes(focused)) return;
      for (const cell of cells) cell.setAttribute("tabindex", cell === focused ? "0" : "-1");
      show(focused);
    });
    map.addEventListener("keydown", (event) => {
      /** @type {Record<string, number>} */
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -32, ArrowDown: 32, Home: -cells.length, End: cells.length };
      const step = steps[event.key];
      if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      const wanted = Math.max(0, Math.min(cells.length - 1, place(/** @type {Element} */ (event.target)) + step));
      cells.find((cell) => place(cell) === wanted)?.focus();
    });
  }
}
