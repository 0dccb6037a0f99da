//! The organiser's desk: who is let in, who is not, and that what is done there is in the book.

use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use super::browser::Browser;
use super::robust_support::BOUND;
use super::season_terms::level;
use super::support::{self, Event, assert_has, assert_lacks, tool, wait_until};
use super::web_page::{Answer, Served, long_event};

/// A run with a desk.
struct DeskOfRun {
    served: Served,
    said: Receiver<String>,
    event: Event,
}

impl DeskOfRun {
    fn start(name: &str) -> DeskOfRun {
        DeskOfRun::of(long_event(name))
    }

    fn of(event: Event) -> DeskOfRun {
        let (served, said) = Served::played_with(&event, &["--desk"]);
        DeskOfRun {
            served,
            said,
            event,
        }
    }

    /// The next token that is printed.
    fn token(&self) -> String {
        loop {
            let line = self.said.recv_timeout(BOUND).expect("a token is printed");
            if let Some((_, token)) = line.split_once("/desk#token=") {
                return token.to_owned();
            }
        }
    }

    fn post(&self, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let head = format!("POST {path} HTTP/1.0\r\nContent-Length: {length}\r\n{headers}\r\n");
        self.served.ask(&(head + body))
    }

    /// What a browser sends with an order of the page itself.
    fn own(&self) -> String {
        let address = &self.served.address;
        format!("Host: {address}\r\nOrigin: http://{address}\r\nContent-Type: application/json\r\n")
    }

    /// The cookie for a token.
    fn enter(&self, token: &str) -> String {
        let answer = self.post("/desk/enter", &self.own(), token);
        assert_eq!(answer.status(), 200, "{}", words_of(&answer));
        let cookie = answer.header("set-cookie").unwrap();
        let (value, rules) = cookie.split_once("; ").unwrap();
        assert_eq!(rules, "Path=/; HttpOnly; SameSite=Strict");
        format!("Cookie: other=1; {value}\r\n")
    }

    fn order(&self, cookie: &str, order: &Value) -> (u16, String) {
        let answer = self.post("/desk", &(self.own() + cookie), &order.to_string());
        (answer.status(), words_of(&answer))
    }

    fn done(&self, cookie: &str, order: &Value) -> Value {
        let (status, text) = self.order(cookie, order);
        assert_eq!(status, 200, "{order}: {text}");
        support::json(&text)
    }

    /// Waits until the run has taken a decision in.
    fn until_page(&self, wanted: impl Fn(&str) -> bool) {
        let page = || self.served.text("/tables.html");
        wait_until(|| wanted(&page()), page);
    }

    /// The arbiter's book.
    fn book(&self) -> String {
        self.event.ask(&["decide", "list"])
    }
}

fn words_of(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

const PAUSE: &str = r#"{"author":"Eve","reason":"x","control":{"control":"pause"}}"#;

/// An announcement, which is written if the book has had this number of decisions.
fn announcement(author: &str, text: &str, book: Option<u64>) -> Value {
    let act = json!({ "act": "announce", "words": text });
    json!({ "author": author, "reason": "a test", "book": book, "decide": act })
}

#[test]
fn nobody_gets_to_the_desk_from_elsewhere_or_twice_with_one_token() {
    let desk = DeskOfRun::start("desk-doors");
    let address = desk.served.address.clone();
    let port = address.rsplit_once(':').unwrap().1;
    let token = desk.token();
    let json = "Content-Type: application/json\r\n";
    let host = format!("Host: {address}\r\n");
    let origin = |name: &str| format!("Origin: {name}\r\n");
    let own = origin(&format!("http://{address}"));
    let typed = |kind: &str| format!("{host}{own}Content-Type: {kind}\r\n");
    let from = |name: &str| (format!("{host}{json}{}", origin(name)), 403);
    let evil = format!("evil.example:{port}");
    let foreign = [
        // No page, a page elsewhere, one on this machine, one that hides, and a form.
        (host.clone() + json, 403),
        from("http://evil.example"),
        from("http://127.0.0.1:1"),
        from("null"),
        from(&format!("https://{address}")),
        (typed("text/plain"), 403),
        (typed("application/x-www-form-urlencoded"), 403),
        // A name of another that leads here.
        (
            format!("Host: {evil}\r\nOrigin: http://{evil}\r\n{json}"),
            421,
        ),
        (json.to_owned() + &own, 403),
    ];
    for (headers, status) in &foreign {
        let answer = desk.post("/desk/enter", headers, &token);
        assert_eq!(answer.status(), *status, "{headers}");
        assert_eq!(answer.header("set-cookie"), None, "{headers}");
    }
    for wrong in ["", "0", &token[1..], &format!("{token}0")] {
        assert_eq!(desk.post("/desk/enter", &desk.own(), wrong).status(), 401);
    }
    let cookie = desk.enter(&token);
    // The same token again, and what a page elsewhere does with the cookie of somebody who has entered.
    assert_eq!(desk.post("/desk/enter", &desk.own(), &token).status(), 401);
    for (headers, status) in &foreign {
        let answer = desk.post("/desk", &(headers.clone() + &cookie), PAUSE);
        assert_eq!(answer.status(), *status, "{headers}");
    }
    let [name, value] = [cookie.replace("desk-", "desk-0"), cookie.replace('=', "=0")];
    for other in ["", "Cookie: desk-1=0\r\n", &name, &value] {
        let answer = desk.post("/desk", &(desk.own() + other), PAUSE);
        assert_eq!(answer.status(), 401, "{other}");
    }
    let own = desk.own() + &cookie;
    assert_eq!(desk.post("/", &own, PAUSE).status(), 404);
    let long = PAUSE.replace("x", &"x".repeat(9000));
    assert_eq!(desk.post("/desk", &own, &long).status(), 409);
    assert_eq!(desk.served.get("/desk", &own).status(), 200);
    for method in ["PUT", "DELETE", "OPTIONS"] {
        let asked = format!("{method} /desk HTTP/1.0\r\n{own}\r\n");
        assert_eq!(desk.served.ask(&asked).status(), 405, "{method}");
    }
    for order in [
        "",
        "[]",
        "{}",
        r#"{"author":"Eve","reason":"x"}"#,
        r#"{"author":"Eve","reason":"","control":{"control":"pause"}}"#,
        r#"{"author":" ","reason":"x","control":{"control":"pause"}}"#,
        r#"{"author":"Eve","reason":"x","control":{"control":"fly"}}"#,
        r#"{"author":"Eve","reason":"x","decide":{"act":"control","words":"x"}}"#,
        r#"{"author":"Eve","reason":"x","decide":{"act":"extend","rounds":0}}"#,
    ] {
        assert_eq!(desk.post("/desk", &own, order).status(), 409, "{order}");
    }
    // Nothing of all that has changed anything.
    assert_eq!(desk.book(), "Nothing has been decided.\n");
    // Another run has other tokens, and a desk that others could hear is refused.
    let second = desk.token();
    assert_ne!(second, token);
    desk.enter(&second);
    let open = long_event("desk-open").ends(2, &["--web", "0.0.0.0:0", "--desk"]);
    assert_has(&open, ["TLS"]);
}

#[test]
fn what_two_desks_do_is_in_the_book_with_who_did_it() {
    let desk = DeskOfRun::start("desk-two");
    let [anna, bruno] = [(); 2].map(|()| desk.enter(&desk.token()));
    // Both see what follows; one writes, and the other has to look again. The same order twice writes once.
    let tea = |book| announcement("Anna", "Tea at four", book);
    let shown = [&anna, &bruno].map(|cookie| desk.done(cookie, &tea(None)));
    assert_eq!(shown[0]["book"], 0);
    assert_eq!(shown[0], shown[1]);
    // Games are finished meanwhile; they are no consequence of it.
    for _ in 0..30 {
        let again = desk.done(&anna, &tea(None));
        assert_eq!(again["consequences"], json!(["The table stays as it is."]));
    }
    assert_eq!(desk.book(), "Nothing has been decided.\n");
    let written = desk.done(&anna, &tea(Some(0)));
    assert_eq!(written["decision"], 1);
    for (cookie, author) in [(&anna, "Anna"), (&bruno, "Bruno")] {
        let (status, text) = desk.order(cookie, &announcement(author, "Tea at five", Some(0)));
        assert_eq!((status, text.contains("since")), (409, true), "{text}");
    }
    desk.until_page(|page| page.contains("Tea at four"));
    let control = |cookie: &str, author: &str, control: Value| {
        let order = json!({ "author": author, "reason": "a test", "control": control });
        desk.done(cookie, &order)
    };
    control(&anna, "Anna", json!({ "control": "pause" }));
    let status = control(&bruno, "Bruno", json!({ "control": "status" }));
    assert_eq!(status["status"]["paused"], true);
    let one_game = json!({ "control": "concurrency", "games": 1 });
    control(&bruno, "Bruno", one_game);
    control(&anna, "Anna", json!({ "control": "resume" }));
    let status = control(&bruno, "Bruno", json!({ "control": "status" }));
    assert_eq!(status["status"]["paused"], false);
    assert_eq!(status["status"]["concurrency"], 1);
    let undo =
        json!({ "author": "Bruno", "reason": "no tea", "book": 4, "decide": { "act": "undo" } });
    // What the run has done holds nothing: the announcement is the last that can be taken back.
    let undone = desk.done(&bruno, &undo);
    assert_eq!(undone["words"], "decision 1 is taken back");
    desk.until_page(|page| !page.contains("class=\"announced\""));
    let book = desk.book();
    let lines: Vec<&str> = book.lines().collect();
    let named = [
        "Anna: announced: Tea at four [taken back] (a test)",
        "Anna: Paused",
        "Bruno: 1 game at once",
        "Anna: The event goes on (a test)",
        "Bruno: decision 1 is taken back (no tea)",
    ];
    assert_eq!(lines.len(), named.len(), "{book}");
    for (line, named) in lines.iter().zip(named) {
        assert!(line.contains(named), "{named}: {book}");
    }
}

#[test]
fn a_bid_is_sealed_at_the_desk_too() {
    let desk = DeskOfRun::of(Event::new("desk-bid", &level("bid_time = 3600")));
    let cookie = desk.enter(&desk.token());
    let bid = |book: Option<u64>| {
        let act = json!({ "act": "bid", "engine": "Alpha", "percent": 61 });
        json!({ "author": "Anna", "reason": "her operator", "book": book, "decide": act })
    };
    // It is refused until the game waits for it.
    let shown = loop {
        let (status, text) = desk.order(&cookie, &bid(None));
        if status == 200 {
            break text;
        }
        assert!(text.contains("no armageddon game waits"), "{text}");
    };
    let written = desk.done(&cookie, &bid(Some(0))).to_string();
    for told in [shown, written, desk.book()] {
        assert_has(&told, ["Alpha has made a sealed bid"]);
        assert_lacks(&told, ["61"]);
    }
}

#[test]
fn every_decision_has_its_form() {
    let script = include_str!("../../src/page/script/desk.js");
    let help = tool(&["decide", "--help"]);
    let acts = help.split("Commands:").nth(1).unwrap();
    let acts = acts.split("\n\n").next().unwrap().lines();
    let acts = acts.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let acts = acts.filter(|act| !["", "list", "help"].contains(act));
    let forms: Vec<String> = acts.map(|act| format!("\n  [\"{act}\", ")).collect();
    assert!(forms.len() > 10, "{help}");
    assert_has(script, forms);
}

#[test]
fn the_desk_works_by_keys_in_a_narrow_window() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let desk = DeskOfRun::start("desk-keys");
    browser.size(400, 800);
    let address = format!("http://{}/desk", desk.served.address);
    browser.open(&format!("{address}#token={}", desk.token()));
    browser.until("document.querySelector('.desk select[name=act]')");
    // No history keeps the token, and no script can read the cookie.
    let seen = browser.value("[location.href, document.cookie]");
    assert_eq!(seen, json!([address, ""]));
    let mut fill = |name: &str, text: &str| {
        let field = format!("document.querySelector('.desk [name={name}]')");
        browser.value(&format!("{field}.focus()"));
        browser.ask("Input.insertText", json!({ "text": text }));
    };
    fill("author", "Anna");
    fill("words", "Tea <b>at four</b>");
    fill("reason", "a test");
    // Enter in a field asks what follows, and Enter there writes it.
    browser.enter();
    browser.until("document.activeElement.textContent === 'Write it'");
    assert_eq!(desk.book(), "Nothing has been decided.\n");
    let fits = browser.value("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(fits, true);
    browser.enter();
    let announced = "document.querySelector('#tables .announced')?.textContent";
    browser.until(&format!("{announced}.includes('Tea <b>at four</b>')"));
    let written = "Anna: announced: Tea <b>at four</b> (a test)";
    assert_has(&desk.book(), [written]);
    assert_eq!(browser.complaints, Vec::<String>::new());
}
