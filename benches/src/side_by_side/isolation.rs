//! A process for each set and contestant, so that one that crashes, runs out of stack or does not end cannot take the bench along.
//!
//! ```text
//! bench ── child SET CONTESTANT FROM … ──▶ the same program
//!   ▲                                            │
//!   └──────────── a line for each graph ─────────┘      ended early, or silent for too long: counted, and
//!                                                        a new one goes on behind the graph that did it
//! ```

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::Arguments;
use crate::contestant::Contestant;
use crate::measure::{DEEP, Measure, measure};
use crate::sets::Set;

/// How long one graph may take, with what judges the output.
const PATIENCE: Duration = Duration::from_secs(180);
/// The first argument of a child.
const CHILD: &str = "child";

/// What became of one graph.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// It was structurized.
    Measured(Measure),
    /// The structurizer refused it.
    Refused,
    /// The process ended on it.
    Crashed,
    /// It did not end in time.
    TimedOut,
}

/// What a child is asked to do.
#[derive(Debug)]
pub(crate) struct Request {
    set: usize,
    contestant: Contestant,
    from: usize,
    stack: usize,
    is_quick: bool,
}

impl Request {
    /// The request in the arguments of a child; `None` if this is none.
    pub(crate) fn parse(words: &[String]) -> Option<Request> {
        let [child, set, contestant, from, stack, is_quick] = words else { return None };
        (child == CHILD).then_some(())?;
        Some(Request {
            set: set.parse().ok()?,
            contestant: Contestant::named(contestant)?,
            from: from.parse().ok()?,
            stack: stack.parse().ok()?,
            is_quick: is_quick.parse().ok()?,
        })
    }

    fn to_words(&self) -> [String; 6] {
        let [set, from, stack] = [self.set, self.from, self.stack].map(|number| number.to_string());
        [CHILD.to_owned(), set, self.contestant.name().to_owned(), from, stack, self.is_quick.to_string()]
    }
}

/// What becomes of every graph of a set, one answer each.
pub(crate) fn ask(number: usize, set: &Set, contestant: Contestant, arguments: &Arguments) -> Vec<Answer> {
    let mut answers = Vec::new();
    while answers.len() < set.graphs.len() {
        let (stack, is_quick) = (arguments.stack, arguments.is_quick);
        let ending = ask_from(&Request { set: number, contestant, from: answers.len(), stack, is_quick }, &mut answers);
        if answers.len() < set.graphs.len() {
            answers.push(ending);
        }
    }
    answers
}

/// Answers until the child ends, and what the next one is if there should have been more.
fn ask_from(request: &Request, answers: &mut Vec<Answer>) -> Answer {
    let program = std::env::current_exe().expect("the bench knows its own file");
    let mut command = Command::new(program);
    command.args(request.to_words()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the bench can start itself");
    let output = child.stdout.take().expect("the output is piped");
    let (sender, lines) = channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let ending = loop {
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => answers.push(Measure::parse(&line).map_or(Answer::Refused, Answer::Measured)),
            Err(RecvTimeoutError::Disconnected) => break Answer::Crashed,
            Err(RecvTimeoutError::Timeout) => break Answer::TimedOut,
        }
    };
    // Both fail only if the child is gone already.
    let _ = child.kill();
    let _ = child.wait();
    reader.join().expect("reading lines does not panic");
    ending
}

/// The child's part: a line for each graph.
pub(crate) fn answer(request: Request) {
    let thread = std::thread::Builder::new().stack_size(request.stack << 20).spawn(move || {
        let set = Set::all().swap_remove(request.set);
        let deepest = if request.is_quick { DEEP } else { usize::MAX };
        for graph in &set.graphs[request.from..] {
            match measure((graph, set.values), request.contestant, deepest) {
                Ok(measure) => println!("{measure}"),
                Err(message) => println!("refused: {}", message.replace('\n', " ")),
            }
        }
    });
    thread.expect("the machine gives a thread").join().expect("a structurizer does not panic");
}
