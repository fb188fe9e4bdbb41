//! Passes Conclave's shares and presignatures to the crate cggmp24. The argument names a JSON file with a level and tasks.
//! Prints one line of JSON with the crate's numbers of that level, then one for each task, in order.

mod level;
mod parties;
mod task;

use std::time::Instant;
use std::{env, fs};

use serde::{Deserialize, Serialize};

use level::{numbers_of, Production, Reduced};
use task::{perform, Answer, Task};

#[derive(Deserialize)]
enum LevelName {
    #[serde(rename = "CGGMP24-128")]
    Production,
    #[serde(rename = "INSECURE-TEST")]
    Reduced,
}

#[derive(Deserialize)]
struct Job {
    level: LevelName,
    tasks: Vec<Task>,
}

#[derive(Serialize)]
struct Line {
    answer: Answer,
    ms: u128,
}

fn say(line: &impl Serialize) {
    println!("{}", serde_json::to_string(line).expect("plain values"));
}

fn main() {
    let file = env::args().nth(1).expect("the name of a JSON file");
    let job: Job =
        serde_json::from_slice(&fs::read(file).expect("a file that can be read")).expect("a job");
    match job.level {
        LevelName::Production => say(&numbers_of::<Production>()),
        LevelName::Reduced => say(&numbers_of::<Reduced>()),
    }
    for task in job.tasks {
        let began = Instant::now();
        let answer = match job.level {
            LevelName::Production => perform::<Production>(task),
            LevelName::Reduced => perform::<Reduced>(task),
        };
        say(&Line {
            answer,
            ms: began.elapsed().as_millis(),
        });
    }
}
