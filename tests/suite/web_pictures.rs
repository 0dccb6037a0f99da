//! Twelve pictures of the pages: before, while and after events of several kinds, in three widths, light and dark. Compared are
//! the parts with their columns, and the light of a coarse grid, which differ little between fonts (`tests/data/pictures.txt`); no
//! part may cover another, be wider than the window, or cut its text. `ARBITER960_PICTURES=DIR` writes the pictures and the file.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::browser::Browser;
use super::support::{self, Event, sparring_engines};
use super::web_page::{Served, long_event};

/// Columns of a page, and of the grid of light with its rows.
const COLUMNS: u32 = 24;
const GRID: [u32; 2] = [8, 6];

/// How far a side may be from where it was, in columns; and light, of 255: in one field, and in the mean of all.
const COLUMN_TOLERANCE: u64 = 1;
const LIGHT_TOLERANCE: [f64; 2] = [60.0, 14.0];

/// What is seen of the page: its parts with their sides in columns, and what is wrong with it.
const SEEN: &str = r#"(() => {
  const wide = innerWidth;
  const open = document.querySelector("dialog[open]");
  const parts = [...(open || document).querySelectorAll(open ? "header, .large, .buttons, .figures, .expects, .graph, .moves" : "body > header, .answers, .game, .block, .announced")]
    .filter((one) => one.checkVisibility() && one.getClientRects().length && one.childNodes.length);
  const name = (one) => one.querySelector("h4, h3")?.textContent.replace(/\d.*$/, "").trim() || one.className || one.localName;
  const wrong = document.documentElement.scrollWidth > wide ? ["the page is wider than the window"] : [];
  const boxes = parts.map((one) => one.getBoundingClientRect());
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, k) => {
    const [one, other] = [parts[i], parts[i + 1 + k]];
    if (one.contains(other) || other.contains(one)) return;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1 && down > 1) wrong.push(name(one) + " covers " + name(other));
  }));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const [text, own] = [texts.currentNode, texts.currentNode.parentElement];
    if (!text.data.trim() || !own.checkVisibility() || (open && !open.contains(own)) || own.closest("script, svg, .unseen, .skip, .wide, .scroll, pre, [title], .moves, .pv, select, noscript")) continue;
    const box = (own.closest(".block, .game, dialog, header, .answers, main, footer") || document.body).getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const one of range.getClientRects()) if (one.right > box.right + 1 || one.left < box.left - 1) wrong.push("cut: " + text.data);
  }
  const column = (x) => Math.round(24 * x / wide);
  return { wrong, parts: parts.map((one, place) => [name(one), column(boxes[place].left), column(boxes[place].right)]) };
})()"#;

/// The mean light of each field of a picture.
const LIGHT: &str = r#"(async (data, across, down) => {
  const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
  const [w, h] = [picture.width / across, picture.height / down];
  const all = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
  all.drawImage(picture, 0, 0);
  const fields = [];
  for (let y = 0; y < down; y++) for (let x = 0; x < across; x++) {
    const { data: bytes } = all.getImageData(Math.floor(x * w), Math.floor(y * h), Math.floor(w), Math.floor(h));
    let sum = 0;
    for (let i = 0; i < bytes.length; i += 4) sum += .3 * bytes[i] + .59 * bytes[i + 1] + .11 * bytes[i + 2];
    fields.push(Math.round(sum / (bytes.length / 4)));
  }
  return fields;
})"#;

/// A window: width, height, and whether it is dark.
type Window = (u32, u32, bool);

struct Camera {
    browser: Browser,
    /// Where pictures are written, if they are.
    folder: Option<PathBuf>,
    known: BTreeMap<String, [Value; 2]>,
    taken: String,
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pictures.txt")
}

impl Camera {
    fn new() -> Option<Camera> {
        let browser = Browser::start()?;
        let known = fs::read_to_string(file()).unwrap_or_default();
        let known = known.lines().map(|line| {
            let mut parts = line.splitn(3, '\t');
            let mut part = || parts.next().unwrap().to_owned();
            let (name, seen, light) = (part(), part(), part());
            (name, [seen, light].map(|text| support::json(&text)))
        });
        Some(Camera {
            browser,
            folder: std::env::var_os("ARBITER960_PICTURES").map(PathBuf::from),
            known: known.collect(),
            taken: String::new(),
        })
    }

    /// Takes a picture of what is there when `ready` is true, and compares it.
    fn take(&mut self, name: &str, address: &str, ready: &str, (width, height, dark): Window) {
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let browser = &mut self.browser;
        let media = json!({ "features": features });
        browser.ask("Emulation.setEmulatedMedia", media);
        browser.size(width, height);
        browser.open(address);
        browser.until("document.documentElement.dataset.ready === 'yes'");
        browser.until(ready);
        let seen = browser.value(SEEN);
        let picture = browser.ask("Page.captureScreenshot", json!({ "format": "png" }));
        let picture = picture["data"].as_str().unwrap();
        assert_eq!(browser.complaints, Vec::<String>::new(), "{name}");
        // No page allows what is needed to look into a picture.
        browser.open("about:blank");
        let light = browser.value(&format!("{LIGHT}({picture:?}, {}, {})", GRID[0], GRID[1]));
        assert_eq!(seen["wrong"], json!([]), "{name}");
        writeln!(self.taken, "{name}\t{}\t{light}", seen["parts"]).unwrap();
        match &self.folder {
            Some(folder) => {
                let file = folder.join(format!("{name}.png"));
                fs::write(file, STANDARD.decode(picture).unwrap()).unwrap();
            }
            None => self.compare(name, &seen["parts"], &light),
        }
    }

    fn compare(&self, name: &str, parts: &Value, light: &Value) {
        let [known, known_light] = &self.known[name];
        let list = |value: &Value| value.as_array().unwrap().clone();
        let names = |parts| list(parts).into_iter().map(|part| part[0].clone());
        assert!(names(parts).eq(names(known)), "{name}: {parts}");
        for (part, known) in list(parts).iter().zip(&list(known)) {
            for side in [1, 2] {
                let [at, before] = [part, known].map(|part| part[side].as_u64().unwrap());
                let is_near = at.abs_diff(before) <= COLUMN_TOLERANCE;
                assert!(is_near, "{name}: {part}, not {known} of {COLUMNS}");
            }
        }
        let fields = |light| list(light).into_iter().map(|field| field.as_f64().unwrap());
        let fields = fields(light).zip(fields(known_light));
        let apart: Vec<f64> = fields.map(|(one, other)| (one - other).abs()).collect();
        let mean = apart.iter().sum::<f64>() / apart.len() as f64;
        let [one, all] = LIGHT_TOLERANCE;
        let is_near = apart.iter().all(|field| *field <= one) && mean <= all;
        assert!(is_near, "{name}: {light}, not {known_light}");
    }

    /// The pictures of the twelve are those of the file.
    fn end(self) {
        if self.folder.is_some() {
            fs::write(file(), self.taken).unwrap();
        }
    }
}

/// An event that is over at once.
fn over(name: &str, engines: usize, text: &str) -> Event {
    let text = format!("event.seed = 3\ntime.depth = 1\nadjudication.max_moves = 6\n{text}");
    let event = Event::new(name, &format!("{text}\n{}", sparring_engines(engines)));
    event.run_well(&["--quiet"]);
    event
}

/// Where a report is.
fn report(event: &Event) -> String {
    format!("file://{}", event.results().join("report.html").display())
}

const SMALL: (u32, u32) = (400, 800);
const USUAL: (u32, u32) = (1280, 900);
const LARGE: (u32, u32) = (3840, 2160);

#[test]
fn twelve_pictures_are_what_they_were() {
    let Some(mut camera) = Camera::new() else {
        return;
    };
    let is_there = "document.querySelectorAll('svg .piece, .answers p, table').length > 2";
    let mut take = |name: &str, address: &str, ready: &str, (width, height): (u32, u32), dark| {
        camera.take(name, address, ready, (width, height, dark));
    };
    let swiss = "event.format = \"swiss\"\nevent.seed = 3\nswiss.rounds = 2\npositions.numbers = [\"0-9\"]\n\
                 time.depth = 1\nround = [{ starts = \"2999-12-05T14:00:00+01:00\" }]\n";
    let swiss = Event::new("before", &format!("{swiss}{}", sparring_engines(6)));
    let served = Served::played(&swiss);
    let page = format!("http://{}/", served.address);
    let drawn = "document.querySelectorAll('#tables figure.start .piece').length > 31";
    take("before-swiss-400", &page, drawn, SMALL, true);
    take("before-swiss-1280", &page, drawn, USUAL, false);
    let hall = "document.querySelectorAll('#hall .piece').length > 31";
    take(
        "before-start-3840",
        &format!("{page}start"),
        hall,
        LARGE,
        false,
    );
    drop(served);
    let played = long_event("while");
    let served = Served::played(&played);
    let page = format!("http://{}/", served.address);
    // Some games are over, others run.
    let moves = "document.querySelectorAll('.game .moves span').length > 12 && document.querySelector('table.results')";
    take("while-match-400", &page, moves, SMALL, false);
    take("while-match-1280", &page, moves, USUAL, true);
    take("while-match-3840", &page, moves, LARGE, false);
    take(
        "while-wall-3840",
        &format!("{page}wall"),
        moves,
        LARGE,
        true,
    );
    let game = "document.querySelector('#viewer[open]') ? document.querySelectorAll('#viewer .moves button').length > 8 : document.querySelector('table.results a')?.click()";
    take("while-game-1280", &page, game, USUAL, false);
    drop(served);
    let tree = "event.format = \"double-elimination\"\npositions.numbers = [\"0-959\"]\n";
    let cup = over("cup", 8, tree);
    take("after-cup-1280", &report(&cup), is_there, USUAL, true);
    let league = over("league", 12, "positions.numbers = [518]\n");
    take("after-league-400", &report(&league), is_there, SMALL, false);
    take("after-league-3840", &report(&league), is_there, LARGE, true);
    let trial = over("trial", 2, "positions.numbers = [\"500-529\"]\n");
    take("after-match-1280", &report(&trial), is_there, USUAL, false);
    camera.end();
}
