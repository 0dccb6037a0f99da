//! The rules once more, slowly and by another way: an array of letters, moves by walking,
//! legality by playing the move and looking at the king. An oracle for tests; it shares
//! nothing with the rules core but the FEN.

/// Sixty-four letters, `.` for an empty square; a1 is 0.
#[derive(Clone)]
pub struct SlowBoard {
    pieces: [char; 64],
    white: bool,
    /// The squares of the rooks that may castle.
    castling: Vec<usize>,
    en_passant: Option<usize>,
    rule: SlowRule,
}

/// What kings may do other than their steps.
#[derive(Clone, Copy, PartialEq)]
pub enum SlowRule {
    Chess960,
    Chess480,
    /// `castling` has the squares of the kings that may evacuate.
    Moab,
}

const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LONG: [(i32, i32); 4] = [(1, 2), (2, 1), (2, -1), (1, -2)];

fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

/// The squares of one step from here.
fn steps(square: usize, directions: impl IntoIterator<Item = (i32, i32)>) -> Vec<usize> {
    let to = directions
        .into_iter()
        .map(|direction| step(square, direction));
    to.flatten().collect()
}

/// Those of a knight.
fn jumps(square: usize) -> Vec<usize> {
    let back = LONG.map(|(files, ranks)| (-files, -ranks));
    steps(square, LONG.into_iter().chain(back))
}

/// Those of a king.
fn neighbours(square: usize) -> Vec<usize> {
    steps(square, STRAIGHT.into_iter().chain(DIAGONAL))
}

fn name(square: usize) -> String {
    format!("{}{}", char::from(b'a' + square as u8 % 8), square / 8 + 1)
}

impl SlowBoard {
    /// Reads a Shredder-FEN that is known to be right.
    pub fn new(shredder_fen: &str, rule: SlowRule) -> SlowBoard {
        let fields: Vec<&str> = shredder_fen.split(' ').collect();
        let mut pieces = ['.'; 64];
        for (row, text) in fields[0].split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        pieces[(7 - row) * 8 + file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let place = |letter: char| {
            if rule == SlowRule::Moab {
                let king = if letter == 'M' { 'K' } else { 'k' };
                return pieces.iter().position(|&piece| piece == king).unwrap();
            }
            let file = (letter.to_ascii_lowercase() as u8 - b'a') as usize;
            file + if letter.is_ascii_uppercase() { 0 } else { 56 }
        };
        let rights = fields[2].chars().filter(|&letter| letter != '-');
        let castling = rights.map(place).collect();
        let en_passant = (fields[3] != "-").then(|| {
            let bytes = fields[3].as_bytes();
            (bytes[1] - b'1') as usize * 8 + (bytes[0] - b'a') as usize
        });
        SlowBoard {
            pieces,
            white: fields[1] == "w",
            castling,
            en_passant,
            rule,
        }
    }

    fn is_own(&self, square: usize) -> bool {
        self.pieces[square] != '.' && self.pieces[square].is_ascii_uppercase() == self.white
    }

    fn is_enemy(&self, square: usize) -> bool {
        self.pieces[square] != '.' && !self.is_own(square)
    }

    fn own(&self, kind: char) -> char {
        match self.white {
            true => kind,
            false => kind.to_ascii_lowercase(),
        }
    }

    fn king(&self) -> usize {
        let king = self.own('K');
        self.pieces.iter().position(|&piece| piece == king).unwrap()
    }

    /// Whether the side that is not to move attacks a square.
    fn is_attacked(&self, square: usize) -> bool {
        let stands =
            |at: usize, kind| self.is_enemy(at) && self.pieces[at].eq_ignore_ascii_case(&kind);
        let slides = |directions: [(i32, i32); 4], kind| {
            directions.into_iter().any(|direction| {
                let mut at = step(square, direction);
                while let Some(here) = at {
                    if self.pieces[here] != '.' {
                        return stands(here, kind) || stands(here, 'Q');
                    }
                    at = step(here, direction);
                }
                false
            })
        };
        let ahead = if self.white { 1 } else { -1 };
        let beside = steps(square, [(-1, ahead), (1, ahead)]);
        jumps(square).into_iter().any(|at| stands(at, 'N'))
            || neighbours(square).into_iter().any(|at| stands(at, 'K'))
            || beside.into_iter().any(|at| stands(at, 'P'))
            || slides(STRAIGHT, 'R')
            || slides(DIAGONAL, 'B')
    }

    fn in_check(&self) -> bool {
        self.is_attacked(self.king())
    }

    /// All legal moves as UCI text, castling as king takes rook, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in (0..64).filter(|&square| self.is_own(square)) {
            for to in self.targets(from) {
                if !self.after(from, to).in_check() {
                    self.write(from, to, &mut moves);
                }
            }
        }
        for &rook in &self.castling {
            if self.rule == SlowRule::Moab {
                self.write_evacuation(rook, &mut moves);
            } else if self.is_own(rook) && self.may_castle(rook) {
                moves.push(name(self.king()) + &name(rook));
            }
        }
        moves.sort();
        moves
    }

    /// A king that may evacuate and is not in check may go to every empty square of its first rank on
    /// which it is not in check; neighbours are among its steps.
    fn write_evacuation(&self, king: usize, moves: &mut Vec<String>) {
        if !self.is_own(king) || self.in_check() {
            return;
        }
        for to in king / 8 * 8..king / 8 * 8 + 8 {
            if king.abs_diff(to) > 1 && self.pieces[to] == '.' && !self.after(king, to).in_check() {
                moves.push(name(king) + &name(to));
            }
        }
    }

    fn write(&self, from: usize, to: usize, moves: &mut Vec<String>) {
        let text = name(from) + &name(to);
        if self.pieces[from].eq_ignore_ascii_case(&'p') && !(8..56).contains(&to) {
            moves.extend("qrbn".chars().map(|letter| format!("{text}{letter}")));
        } else {
            moves.push(text);
        }
    }

    /// Where a piece may go, checks apart.
    fn targets(&self, from: usize) -> Vec<usize> {
        let mut targets = match self.pieces[from].to_ascii_uppercase() {
            'P' => return self.pawn_targets(from),
            'N' => jumps(from),
            'B' => self.slide(from, &DIAGONAL),
            'R' => self.slide(from, &STRAIGHT),
            'Q' => [self.slide(from, &DIAGONAL), self.slide(from, &STRAIGHT)].concat(),
            _ => neighbours(from),
        };
        targets.retain(|&to| !self.is_own(to));
        targets
    }

    fn slide(&self, from: usize, directions: &[(i32, i32)]) -> Vec<usize> {
        let mut targets = Vec::new();
        for &direction in directions {
            let mut at = step(from, direction);
            while let Some(here) = at {
                targets.push(here);
                at = step(here, direction).filter(|_| self.pieces[here] == '.');
            }
        }
        targets
    }

    fn pawn_targets(&self, from: usize) -> Vec<usize> {
        let (ahead, home) = if self.white { (1, 1) } else { (-1, 6) };
        let mut targets = Vec::new();
        if let Some(one) = step(from, (0, ahead)).filter(|&one| self.pieces[one] == '.') {
            targets.push(one);
            let two = step(one, (0, ahead)).filter(|&two| self.pieces[two] == '.');
            targets.extend(two.filter(|_| from / 8 == home));
        }
        let taken = steps(from, [(-1, ahead), (1, ahead)]).into_iter();
        targets.extend(taken.filter(|&to| self.is_enemy(to) || self.en_passant == Some(to)));
        targets
    }

    /// The pieces after a move, the same side still to be looked at.
    fn after(&self, from: usize, to: usize) -> SlowBoard {
        let mut next = self.clone();
        if self.pieces[from].eq_ignore_ascii_case(&'p') && self.en_passant == Some(to) {
            next.pieces[from / 8 * 8 + to % 8] = '.';
        }
        next.pieces[to] = next.pieces[from];
        next.pieces[from] = '.';
        next
    }

    /// FIDE Laws of Chess, guidelines II.3: the squares between are empty except for king and rook, and no square from
    /// the king's first to its last is attacked.
    fn may_castle(&self, rook: usize) -> bool {
        let king = self.king();
        let row = king / 8 * 8;
        let (king_to, rook_to) = self.castling_targets(king % 8, rook % 8);
        let (king_to, rook_to) = (row + king_to, row + rook_to);
        let path = |a: usize, b: usize| a.min(b)..=a.max(b);
        let is_free = |square| [king, rook].contains(&square) || self.pieces[square] == '.';
        let empty = path(king, king_to).chain(path(rook, rook_to)).all(is_free);
        if !empty || path(king, king_to).any(|square| self.is_attacked_on_the_way(king, square)) {
            return false;
        }
        let mut after = self.clone();
        after.pieces[king] = '.';
        after.pieces[rook] = '.';
        after.pieces[king_to] = self.own('K');
        after.pieces[rook_to] = self.own('R');
        !after.in_check()
    }

    /// With the king on the square, and the rook on its old square unless the king is there.
    fn is_attacked_on_the_way(&self, king: usize, square: usize) -> bool {
        let mut way = self.clone();
        way.pieces[king] = '.';
        way.pieces[square] = self.own('K');
        way.is_attacked(square)
    }

    fn castling_targets(&self, king: usize, rook: usize) -> (usize, usize) {
        match (self.rule == SlowRule::Chess480, rook > king) {
            (false, true) => (6, 5),
            (false, false) => (2, 3),
            (true, true) if king == 6 => (7, 6),
            (true, false) if king == 1 => (0, 1),
            (true, true) => (king + 2, king + 1),
            (true, false) => (king - 2, king - 1),
        }
    }
}
