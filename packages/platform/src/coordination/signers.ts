import type { Lives } from "@conclave/cluster";
import type { Timer, World } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { holdersOf, lowestThreshold, type Roster } from "../config/index.ts";
import type { SignerStatus } from "../grpc/index.ts";
import type { Signer } from "./signer.ts";

/** Interval at which a signer's status is read; its health stream reports a death at once. */
const STATUS_EVERY_MS = 500;

/** Upper bound; a slower answer does not measure a clock well enough. */
const CLOCK_ANSWER_MS_MAX = 1_000;

/**
 * A signer's clock that differs by more is wrong: half of the difference that signers allow one another
 * (CLOCK_SKEW_MS_MAX of the cluster).
 */
const CLOCK_OFF_MS = 30_000;

/** Whether a clock that is ahead by this many milliseconds (behind if negative) is wrong. */
export const isClockOff = (aheadMs: number): boolean => Math.abs(aheadMs) > CLOCK_OFF_MS;

/** This process's knowledge of a signer. */
export interface SignerView {
  readonly index: number;
  readonly id: string;
  readonly address: string;
  readonly live: boolean;
  /** its latest answer; undefined before the first one, and while the signer does not answer */
  readonly status: SignerStatus | undefined;
  /**
   * milliseconds by which its clock is ahead of this process's, negative if behind; undefined if the signer does not
   * report its clock
   */
  readonly clockAheadMs: number | undefined;
  /** whether the difference is so large that one of the two clocks is wrong */
  readonly isClockOff: boolean;
  /** stage of the generation of its auxiliary information, such as "auxiliary/primes" */
  readonly stage: string | undefined;
}

interface Known {
  readonly signer: Signer;
  readonly id: string;
  readonly address: string;
  serving: boolean;
  /** false after a status request failed: the process hangs although its connection is open */
  answering: boolean;
  status: SignerStatus | undefined;
  clockAheadMs: number | undefined;
  /** the life that the signer showed last, in a status or a refusal */
  life: Uint8Array | undefined;
  /** how many refusals showed a life: a status requested before such a refusal may still show the earlier life */
  refusals: number;
  stage: string | undefined;
  isAsked: boolean;
  /**
   * whether the signer began to serve again during the request under way, whose answer may come from the connection
   * before
   */
  isAskedAgain: boolean;
  /** monotonic time since when it is not live; undefined while it is live */
  awaySinceMs: number | undefined;
}

/** The auxiliary information that a signer reports to use, as one text; undefined without a status. */
const auxiliaryIn = (status: SignerStatus | undefined): string | undefined =>
  status && `${status.auxiliaryEpoch}/${Buffer.from(status.auxiliaryDigest).toString("hex")}`;

/**
 * The cluster's signers, and which of them are live. A live signer serves, answers, and shows its life: without a life
 * no session with it can begin.
 */
export class Signers {
  /** the lowest t of any key */
  readonly threshold: number;
  readonly #world: World;
  readonly #known: ReadonlyMap<PartyIndex, Known>;
  readonly #holders: readonly number[];
  readonly #listeners = new Set<() => void>();
  readonly #auxiliaryListeners = new Set<() => void>();
  readonly #watches: { close(): void }[] = [];
  readonly #timers = new Map<PartyIndex, Timer>();
  #live: readonly PartyIndex[] = [];
  #isClosed = false;

  constructor(
    world: World,
    roster: Pick<Roster, "threshold" | "signers" | "change">,
    connect: readonly Signer[],
  ) {
    this.#world = world;
    this.threshold = lowestThreshold(roster);
    this.#holders = holdersOf(roster).map(({ index }) => index);
    this.#known = new Map(
      connect.map((signer) => {
        const entry = roster.signers.find(({ index }) => index === signer.index);
        if (entry === undefined) throw new Error(`signer ${signer.index} is not in the roster`);
        const { id, address } = entry;
        const known: Known = {
          signer,
          id,
          address,
          serving: false,
          answering: true,
          status: undefined,
          clockAheadMs: undefined,
          life: undefined,
          refusals: 0,
          stage: undefined,
          isAsked: false,
          isAskedAgain: false,
          awaySinceMs: world.monotonicMs(),
        };
        return [signer.index, known];
      }),
    );
  }

  /** Starts to watch the signers. */
  start(): void {
    for (const [index, known] of this.#known) {
      this.#watches.push(
        known.signer.watchHealth((isServing) => {
          known.serving = isServing;
          known.answering = isServing;
          if (!isServing) known.status = undefined;
          this.#update();
          this.#poll(index, known);
        }),
      );
    }
  }

  get(index: PartyIndex): Signer | undefined {
    return this.#known.get(index)?.signer;
  }

  all(): readonly Signer[] {
    return [...this.#known.values()].map(({ signer }) => signer);
  }

  /** The signers that hold each new key, ascending. */
  holders(): readonly Signer[] {
    return this.all()
      .filter(({ index }) => this.#holders.includes(index))
      .sort((one, other) => one.index - other.index);
  }

  /** Indices of the live signers, ascending. */
  live(): readonly PartyIndex[] {
    return this.#live;
  }

  /** The lives that the signers showed, for commands to name. */
  lives(): Lives {
    return new Map([...this.#known].flatMap(([index, { life }]) => (life ? [[index, life]] : [])));
  }

  /** Records the life that a signer showed when it refused a command that named another one. */
  noteLife(index: PartyIndex, life: Uint8Array): void {
    const known = this.#known.get(index);
    if (known === undefined) return;
    known.life = life;
    known.refusals += 1;
  }

  /** Ids of the signers that are not live, for messages to people. */
  unavailable(): readonly string[] {
    return this.view()
      .filter(({ live }) => !live)
      .map(({ id }) => id);
  }

  idOf(index: number): string {
    return this.view().find((signer) => signer.index === index)?.id ?? `signer ${index}`;
  }

  view(): readonly SignerView[] {
    return [...this.#known.values()].map(({ signer, id, address, status, clockAheadMs, stage }) => ({
      index: signer.index,
      id,
      address,
      live: this.#live.includes(signer.index),
      status,
      clockAheadMs: status && clockAheadMs,
      isClockOff: status !== undefined && isClockOff(clockAheadMs ?? 0),
      stage,
    }));
  }

  /** Asks every signer for its status again, because the latest one may be older than a recent change. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#known.values()].map((known) => this.#ask(known)));
  }

  noteStage(index: PartyIndex, stage: string | undefined): void {
    const known = this.#known.get(index);
    if (known !== undefined) known.stage = stage;
  }

  /**
   * Calls back whenever the set of live signers changes.
   * @returns a function that ends the subscription
   */
  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /**
   * Calls back whenever a signer reports other auxiliary information than before.
   *
   * @returns a function that ends the subscription
   */
  onAuxiliary(changed: () => void): () => void {
    this.#auxiliaryListeners.add(changed);
    return () => this.#auxiliaryListeners.delete(changed);
  }

  /**
   * Waits until every signer that holds new keys is live, or one has been away for `patienceMs`: a lost connection is
   * back in less than a second, and a starved process answers in seconds.
   *
   * @returns ids of the signers that are not live; empty as soon as all are
   */
  async awayFor(patienceMs: number): Promise<readonly string[]> {
    for (;;) {
      const away = [...this.#known].flatMap(([index, { id, awaySinceMs }]) =>
        awaySinceMs === undefined || !this.#holders.includes(index) ? [] : [{ id, awaySinceMs }],
      );
      const leftMs =
        Math.min(...away.map((each) => each.awaySinceMs)) + patienceMs - this.#world.monotonicMs();
      if (away.length === 0 || leftMs <= 0) return away.map(({ id }) => id);
      await this.#changeWithin(leftMs);
    }
  }

  /**
   * Waits until enough signers to sign are live, for at most `patienceMs`: at the start of this process none has been
   * heard yet.
   */
  async enoughWithin(patienceMs: number): Promise<void> {
    const untilMs = this.#world.monotonicMs() + patienceMs;
    for (;;) {
      const leftMs = untilMs - this.#world.monotonicMs();
      if (this.#live.length >= this.threshold || leftMs <= 0) return;
      await this.#changeWithin(leftMs);
    }
  }

  /** Waits for a change of the set of live signers, at most this long. */
  async #changeWithin(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        unsubscribe();
        timer.stop();
        resolve();
      };
      const unsubscribe = this.onChange(end);
      const timer = this.#world.after(milliseconds, end);
    });
  }

  /** The reason why signing has to wait; undefined if enough signers are live. */
  shortage(): string | undefined {
    const live = this.#live.length;
    if (live >= this.threshold) return undefined;
    const missing = this.unavailable();
    const verb = missing.length === 1 ? "does" : "do";
    return (
      `waiting for signers: ${live} of the ${this.threshold} needed ${live === 1 ? "is" : "are"} live; ` +
      `${missing.join(", ")} ${verb} not answer`
    );
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.close();
    for (const timer of this.#timers.values()) timer.stop();
    for (const { signer } of this.#known.values()) signer.close();
    this.#listeners.clear();
    this.#auxiliaryListeners.clear();
  }

  /** Reads the status now, and again at every interval. */
  #poll(index: PartyIndex, known: Known): void {
    this.#timers.get(index)?.stop();
    if (known.isAsked) {
      known.isAskedAgain = true;
      return;
    }
    known.isAsked = true;
    void this.#ask(known).then(() => {
      known.isAsked = false;
      if (this.#isClosed) return;
      if (known.isAskedAgain) {
        known.isAskedAgain = false;
        this.#poll(index, known);
        return;
      }
      const timer = this.#world.after(STATUS_EVERY_MS, () => this.#poll(index, known));
      this.#timers.set(index, timer);
    });
  }

  async #ask(known: Known): Promise<void> {
    const askedMs = this.#world.monotonicMs();
    const { refusals } = known;
    const status = await known.signer.getStatus();
    if (this.#isClosed) return;
    const tookMs = this.#world.monotonicMs() - askedMs;
    if (status.ok && tookMs <= CLOCK_ANSWER_MS_MAX) {
      const { clockMs } = status.value;
      known.clockAheadMs = clockMs && Math.round(clockMs - (this.#world.nowMs() - tookMs / 2));
    }
    const before = auxiliaryIn(known.status);
    known.answering = status.ok;
    known.status = status.ok ? status.value : undefined;
    if (status.ok && known.refusals === refusals) known.life = status.value.life;
    this.#update();
    if (before === auxiliaryIn(known.status)) return;
    for (const changed of [...this.#auxiliaryListeners]) changed();
  }

  #update(): void {
    if (this.#isClosed) return;
    const live = [...this.#known]
      .filter(([, { serving, answering, status }]) => serving && answering && status?.life !== undefined)
      .map(([index]) => index)
      .sort((a, b) => a - b);
    if (live.length === this.#live.length && live.every((index, at) => index === this.#live[at])) return;
    this.#live = live;
    for (const [index, known] of this.#known) {
      known.awaySinceMs = live.includes(index) ? undefined : (known.awaySinceMs ?? this.#world.monotonicMs());
    }
    for (const changed of [...this.#listeners]) changed();
  }
}
