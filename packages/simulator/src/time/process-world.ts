import { type Timer, type World, worldOf } from "@conclave/custody";
import { seededEntropy } from "@conclave/threshold/testing";
import { type Entry, microseconds, milliseconds, type Scheduler } from "./scheduler.ts";

/** The world of one life of a process: its clocks, its timers, its chance. */
export interface ProcessWorld extends World {
  /** Plans an entry of this process, such as the arrival of a message: it never runs once the process is dead. */
  readonly plan: (delayUs: number, run: () => void) => Entry;
  /** Runs what reaches the process from outside: at once, or after its pause, in the order of arrival. Never in a dead process. */
  readonly arrive: (run: () => void) => void;
  /** Sets the wall clock forward, or back where below 0. */
  readonly jump: (ms: number) => void;
  /** The process does nothing until it is resumed; all that came due meanwhile then runs in its order. @returns resumes it */
  readonly pause: () => () => void;
  /** Nothing that was planned runs any more. */
  readonly kill: () => void;
  /** Calls back at its death. */
  readonly onDeath: (dead: () => void) => void;
  readonly isAlive: () => boolean;
  readonly isPaused: () => boolean;
  /**
   * The times of its wall clock now and within the last 30 ms, Unix milliseconds: a pause or a jump may come between a
   * decision and its effect.
   */
  readonly recentClocksMs: () => readonly number[];
}

const RECENT_MS = 30;
/** A timer of Node waits so long at least: a wait for the rest of a time, a fraction of a microsecond, ends. */
const TIMER_MS_MIN = 1;

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
  const agenda = new Agenda(scheduler, name);
  let aheadMs = skewMs;
  const after = (ms: number, run: () => void): Timer => {
    const { cancel } = agenda.plan(microseconds(Math.max(TIMER_MS_MIN, ms)), run);
    return { stop: cancel };
  };
  const nowMs = (): number => Math.floor(startMs + milliseconds(scheduler.nowUs) + aheadMs);
  const breaks = new ClockBreaks(scheduler);
  const world = worldOf({
    nowMs,
    monotonicMs: () => milliseconds(scheduler.nowUs - bornUs),
    after,
    every: repeated(after),
    entropy: seededEntropy(`${seed}/${name}/${life}`),
  });
  return {
    ...world,
    plan: (delayUs, run) => agenda.plan(delayUs, run),
    arrive: (run) => agenda.arrive(run),
    jump: (ms) => {
      breaks.note(nowMs());
      aheadMs += ms;
    },
    pause: () => {
      const clockMs = nowMs();
      const resume = agenda.pause();
      return () => {
        resume();
        breaks.note(clockMs);
      };
    },
    kill: () => agenda.end(),
    onDeath: (dead) => agenda.onEnd(dead),
    isAlive: () => !agenda.isOver,
    isPaused: () => agenda.isPaused,
    recentClocksMs: () => [nowMs(), nowMs() - RECENT_MS, ...breaks.recentMs],
  };
};

/** The times of a wall clock before it was set, and before its process stood still. */
class ClockBreaks {
  readonly #scheduler: Pick<Scheduler, "nowUs">;
  #noted: { readonly atUs: number; readonly clockMs: number }[] = [];

  constructor(scheduler: Pick<Scheduler, "nowUs">) {
    this.#scheduler = scheduler;
  }

  /** @param clockMs its time before the break that is over now */
  note(clockMs: number): void {
    this.#noted.push({ atUs: this.#scheduler.nowUs, clockMs });
  }

  get recentMs(): readonly number[] {
    const sinceUs = this.#scheduler.nowUs - microseconds(RECENT_MS);
    this.#noted = this.#noted.filter(({ atUs }) => atUs >= sinceUs);
    return this.#noted.map(({ clockMs }) => clockMs);
  }
}

const repeated =
  (after: World["after"]): World["every"] =>
  (ms, run) => {
    let isStopped = false;
    const again = (): void => {
      run();
      if (!isStopped) next = after(ms, again);
    };
    let next = after(ms, again);
    return {
      stop: () => {
        isStopped = true;
        next.stop();
      },
    };
  };

/** The entries of one life of a process. */
class Agenda {
  readonly #scheduler: Scheduler;
  readonly #name: string;
  readonly #listeners: (() => void)[] = [];
  #pauses = 0;
  /** entries that came due while the process was paused, in their order */
  #held: (() => void)[] = [];
  /** entries that were held and are about to run */
  #late = 0;
  isOver = false;

  constructor(scheduler: Scheduler, name: string) {
    this.#scheduler = scheduler;
    this.#name = name;
  }

  plan(delayUs: number, run: () => void): Entry {
    let isCancelled = false;
    const entry = this.#scheduler.plan(this.#name, delayUs, () =>
      this.#runOrHold(() => {
        if (!isCancelled) run();
      }),
    );
    return {
      cancel: () => {
        isCancelled = true;
        entry.cancel();
      },
    };
  }

  arrive(run: () => void): void {
    if (this.#pauses === 0 && this.#late > 0) this.plan(0, run);
    else this.#runOrHold(run);
  }

  #runOrHold(run: () => void): void {
    if (this.isOver) return;
    if (this.#pauses > 0) this.#held.push(run);
    else run();
  }

  get isPaused(): boolean {
    return this.#pauses > 0;
  }

  pause(): () => void {
    this.#pauses += 1;
    let isResumed = false;
    return () => {
      if (isResumed) return;
      isResumed = true;
      this.#pauses -= 1;
      if (this.#pauses > 0) return;
      const late = this.#held;
      this.#held = [];
      this.#late += late.length;
      for (const due of late)
        this.#scheduler.plan(this.#name, 0, () => {
          this.#late -= 1;
          this.#runOrHold(due);
        });
    };
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const ended of this.#listeners) ended();
  }

  onEnd(ended: () => void): void {
    this.#listeners.push(ended);
  }
}
