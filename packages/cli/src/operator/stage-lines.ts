import { countedStages } from "@conclave/testbed/launch";

/** A run that takes longer says so again and again. */
const SAID_EVERY_MS = 5_000;
const MS_PER_SECOND = 1_000;

/** A timer that calls back every so many milliseconds until it is cancelled. */
export type Every = (ms: number, callback: () => void) => () => void;

const everyByClock: Every = (ms, callback) => {
  const timer = setInterval(callback, ms);
  timer.unref();
  return () => clearInterval(timer);
};

/** The stages of a run's signers, as they report them. */
export interface StageLines extends Disposable {
  readonly note: (signer: number, stage: string) => void;
}

/**
 * Says each five seconds how many signers are at which stage of a run, and since when it runs.
 * @param subject begins each line
 * @param every the timer; by default that of the process
 */
export const stageLines = (
  subject: string,
  say: (line: string) => void,
  every: Every = everyByClock,
): StageLines => {
  const stages = new Map<number, string>();
  let times = 0;
  const cancel = every(SAID_EVERY_MS, () => {
    times += 1;
    const seconds = (times * SAID_EVERY_MS) / MS_PER_SECOND;
    const counted = stages.size === 0 ? "no signer has begun" : countedStages([...stages.values()]);
    say(`${subject}: ${counted}, after ${seconds} s`);
  });
  return { note: (signer, stage) => void stages.set(signer, stage), [Symbol.dispose]: cancel };
};
