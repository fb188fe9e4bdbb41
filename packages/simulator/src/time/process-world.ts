import { type Timer, type World, worldOf } from "@conclave/custody";
import { seededEntropy } from "@conclave/threshold/testing";
import { type Entry, microseconds, milliseconds, type Scheduler } from "./scheduler.ts";

/** The world of one life of a process: its clocks, its timers, its chance. */
export interface ProcessWorld extends World {
  /** Plans an entry of this process, such as the arrival of a message: it never runs once the process is dead. */
  readonly plan: (delayUs: number, run: () => void) => Entry;
  /** Sets the wall clock forward, or back where below 0. */
  readonly jump: (ms: number) => void;
  /** The process does nothing for so long; all that comes due meanwhile comes in its order afterwards. */
  readonly pause: (ms: number) => void;
  /** Nothing that was planned runs any more. */
  readonly kill: () => void;
  /** Calls back at its death. */
  readonly onDeath: (dead: () => void) => void;
  readonly isAlive: () => boolean;
}

export interface ProcessWorldOptions {
  readonly scheduler: Scheduler;
  /** of the process; with the number of its life it is the source of its chance */
  readonly name: string;
  readonly life: number;
  readonly seed: string;
  /** Unix milliseconds at the beginning of the simulation */
  readonly startMs: number;
  /** how far its wall clock is ahead at first, milliseconds */
  readonly skewMs?: number;
}

/** Opens the world of a process's life. Its monotonic clock begins at 0 and is never set. */
export const openProcessWorld = (options: ProcessWorldOptions): ProcessWorld => {
  const { scheduler, name, life, seed, startMs, skewMs = 0 } = options;
  const bornUs = scheduler.nowUs;
  let aheadMs = skewMs;
  let pausedUntilUs = 0;
  let isAlive = true;
  const listeners: (() => void)[] = [];
  const plan = (delayUs: number, run: () => void): Entry => {
    let entry: Entry;
    const due = (): void => {
      if (!isAlive) return;
      if (pausedUntilUs > scheduler.nowUs) entry = scheduler.plan(name, pausedUntilUs - scheduler.nowUs, due);
      else run();
    };
    entry = scheduler.plan(name, delayUs, due);
    return { cancel: () => entry.cancel() };
  };
  const after = (ms: number, run: () => void): Timer => {
    const { cancel } = plan(microseconds(ms), run);
    return { stop: cancel };
  };
  const every = (ms: number, run: () => void): Timer => {
    let isStopped = false;
    const again = (): void => {
      run();
      if (!isStopped) next = after(Math.max(1, ms), again);
    };
    let next = after(Math.max(1, ms), again);
    return {
      stop: () => {
        isStopped = true;
        next.stop();
      },
    };
  };
  const world = worldOf({
    nowMs: () => Math.floor(startMs + milliseconds(scheduler.nowUs) + aheadMs),
    monotonicMs: () => milliseconds(scheduler.nowUs - bornUs),
    after,
    every,
    entropy: seededEntropy(`${seed}/${name}/${life}`),
  });
  return {
    ...world,
    plan,
    jump: (ms) => {
      aheadMs += ms;
    },
    pause: (ms) => {
      pausedUntilUs = Math.max(pausedUntilUs, scheduler.nowUs + microseconds(ms));
    },
    kill: () => {
      if (!isAlive) return;
      isAlive = false;
      for (const dead of listeners) dead();
    },
    onDeath: (dead) => void listeners.push(dead),
    isAlive: () => isAlive,
  };
};
