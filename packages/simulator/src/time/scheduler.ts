import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import TinyQueue from "tinyqueue";

const US_PER_MS = 1_000;

/** An entry of the schedule, which may be taken back. */
export interface Entry {
  cancel(): void;
}

interface Planned {
  readonly atUs: number;
  /** the same for all entries of one process at one time */
  readonly turn: number;
  /** of making */
  readonly order: number;
  /** undefined once it is taken back */
  run: (() => void) | undefined;
}

/**
 * Virtual time in whole microseconds: it stands still until a step runs the next entry. Entries of one time run in the order of their
 * making within a process; the order of the processes is drawn from the seed anew for each time.
 */
export class Scheduler {
  readonly #queue = new TinyQueue<Planned>([], earlier);
  readonly #seed: string;
  readonly #processes = new Map<string, number>();
  #nowUs = 0;
  #made = 0;
  /** entries that have run */
  steps = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Microseconds since the beginning. */
  get nowUs(): number {
    return this.#nowUs;
  }

  /**
   * Plans an entry.
   * @param process the name of the process whose entry it is
   * @param delayUs from now, rounded to whole microseconds; at once where it is not above 0
   */
  plan(process: string, delayUs: number, run: () => void): Entry {
    const atUs = this.#nowUs + Math.max(0, Math.round(delayUs));
    const planned: Planned = { atUs, turn: this.#turnOf(process, atUs), order: this.#made, run };
    this.#made += 1;
    this.#queue.push(planned);
    return {
      cancel: () => {
        planned.run = undefined;
      },
    };
  }

  /** Runs the next entry, unless it is later than the limit. @returns whether there was one */
  step(limitUs: number): boolean {
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      if (next.run !== undefined && next.atUs > limitUs) return false;
      this.#queue.pop();
      if (next.run === undefined) continue;
      this.#nowUs = next.atUs;
      this.steps += 1;
      next.run();
      return true;
    }
    return false;
  }

  /** Whether anything is planned. */
  get isPlanned(): boolean {
    return this.#queue.length > 0;
  }

  /** Lets time pass to a moment before which nothing is planned. */
  passUntil(atUs: number): void {
    this.#nowUs = Math.max(this.#nowUs, atUs);
  }

  /** The draw of a process at a time: all entries that are planned for that time have the same. */
  #turnOf(process: string, atUs: number): number {
    let number = this.#processes.get(process);
    if (number === undefined) {
      const drawn = sha256(utf8ToBytes(`${this.#seed}/schedule/${process}`));
      number = new DataView(drawn.buffer).getUint32(0);
      this.#processes.set(process, number);
    }
    return mixed(mixed(number ^ atUs) ^ Math.floor(atUs / WORD));
  }
}

const WORD = 2 ** 32;

/** A number of 32 bits of which each bit depends on each bit of another one (Prospector's "lowbias32"). */
const mixed = (value: number): number => {
  let mix = value;
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return (mix ^ (mix >>> 16)) >>> 0;
};

const earlier = (one: Planned, other: Planned): number =>
  one.atUs - other.atUs || one.turn - other.turn || one.order - other.order;

export const microseconds = (ms: number): number => Math.round(ms * US_PER_MS);
export const milliseconds = (us: number): number => us / US_PER_MS;
