import { randomBytes } from "node:crypto";
import {
  allot,
  inventoryOf,
  type ListedPresignature,
  type LiveWork,
  nextToFill,
  orphansOf,
  type PresigningResult,
  type ReadyPresignature,
} from "@conclave/cluster";
import { type Database, type Logger, readNewestKeys } from "@conclave/platform";
import type { CoordinationOutcome as Outcome, Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { PresignatureSource, PresigningRequest } from "./coordinators.ts";

/** How much is kept ready for each set of signers of a key in use. */
export interface StockMarks {
  /** a set with fewer is filled again */
  readonly low: number;
  /** up to this many; 0 keeps no stock, and every signature makes its presignature on the spot */
  readonly high: number;
}

/** Keys that presignatures are kept for: those that were made or signed with last. */
const KEYS_IN_USE_MAX = 4;
/** Presignatures of all keys and sets together. */
const STOCK_MAX = 200;
/** Presignatures for one signature: from different sets, so that a signer that dies leaves another. */
const ALLOTTED_MAX = 3;
/** Between two presignatures: live work that waits gets its turn. */
const NEXT_MS = 10;
const NOTHING_TO_DO_MS = 500;
const BUSY_MS = 100;
/** Signers are asked afresh what they hold this often; between, what happens here is known. */
const LIST_EVERY_MS = 10_000;

/** The signers, as far as the stock needs them. */
export interface StockSigners extends Pick<Signers, "threshold" | "live"> {
  all(): readonly Pick<Signer, "index">[];
  get(index: PartyIndex): Pick<Signer, "listPresignatures" | "discardPresignatures"> | undefined;
}

export interface StockWork {
  readonly database: Pick<Database, "rows">;
  readonly signers: StockSigners;
  readonly marks: StockMarks;
  /** it goes first */
  readonly live: () => LiveWork;
  /** whether the cluster can presign at all */
  readonly isReady: () => boolean;
  /** signers that may be worked with now */
  readonly usable: () => readonly PartyIndex[];
  /** whether two of these signers failed together of late */
  readonly isApart: (signers: readonly PartyIndex[]) => boolean;
  readonly presign: (request: PresigningRequest) => Promise<Outcome<PresigningResult>>;
  readonly logger: Logger;
}

/** Presignatures that are ready at all of their signers, and what is handed out of them. */
export interface StockListing {
  readonly ready: number;
  readonly sets: readonly {
    readonly keyId: string;
    readonly signers: readonly number[];
    readonly ready: number;
  }[];
}

const entropy = (length: number): Uint8Array => randomBytes(length);

/**
 * The cluster's stock of presignatures as this process knows it: filled in the background below live work, handed out
 * to signings, none to two of them. The signers are the truth: what another process used is refused by them.
 */
export class PresignatureStock implements PresignatureSource {
  readonly #work: StockWork;
  #inventory: readonly ReadyPresignature[] = [];
  /** handed out: a listing from before they were spent still has them */
  readonly #taken = new Set<string>();
  /** the last in use first */
  #keys: readonly string[] = [];
  #hasReadKeys = false;
  #filling: ReadonlySet<string> = new Set();
  #listedAtMs = 0;
  #live: readonly PartyIndex[] = [];

  constructor(work: StockWork) {
    this.#work = work;
  }

  get view(): StockListing {
    const sets = new Map<string, { keyId: string; signers: readonly number[]; ready: number }>();
    for (const { keyId, signers } of this.#inventory) {
      const name = `${keyId}/${signers.join()}`;
      const known = sets.get(name);
      sets.set(name, { keyId, signers, ready: (known?.ready ?? 0) + 1 });
    }
    return { ready: this.#inventory.length, sets: [...sets.values()] };
  }

  /**
   * Presignatures for one request, which nobody else of this process gets: they leave the stock.
   *
   * @param count how many of one set the request needs at once
   */
  take(keyId: string, count: number): readonly ReadyPresignature[] {
    this.noteUse(keyId);
    const nowMs = Date.now();
    const fresh = this.#inventory.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    const usable = new Set(this.#work.usable());
    const sound = fresh.filter(({ signers }) => !this.#work.isApart(signers));
    const isSoundThere = sound.some(
      (each) => each.keyId === keyId && each.signers.every((s) => usable.has(s)),
    );
    const taken = allot(isSoundThere ? sound : fresh, keyId, usable, ALLOTTED_MAX * count, entropy);
    this.#inventory = fresh.filter((entry) => !taken.includes(entry));
    for (const { id } of taken) this.#taken.add(id);
    return taken;
  }

  /** A key was made or is signed with: a stock is kept for it. */
  noteUse(keyId: string): void {
    const others = this.#keys.filter((key) => key !== keyId);
    this.#keys = [keyId, ...others].slice(0, KEYS_IN_USE_MAX);
  }

  /** Puts back what was handed out and never tried. */
  giveBack(untried: readonly ReadyPresignature[]): void {
    for (const { id } of untried) this.#taken.delete(id);
    this.#inventory = [...this.#inventory, ...untried];
  }

  /**
   * Looks once, and makes one presignature when a set lacks it and nothing else is to be done.
   *
   * @returns when to look again, in milliseconds
   */
  async look(): Promise<number> {
    const { marks, isReady, live } = this.#work;
    if (marks.high === 0 || !isReady()) return NOTHING_TO_DO_MS;
    if (live() === "now") return BUSY_MS;
    await this.#list();
    const { signers } = this.#work;
    const step = nextToFill(
      {
        parties: signers.all().map(({ index }) => index),
        threshold: signers.threshold,
        lowWater: marks.low,
        highWater: marks.high,
        totalMax: STOCK_MAX,
        atOnceMax: 1,
      },
      {
        usable: new Set(this.#work.usable()),
        isApart: this.#work.isApart,
        keys: await this.#keysInUse(),
        inventory: this.#inventory,
        underWay: [],
        filling: this.#filling,
        live: live(),
      },
    );
    this.#filling = step.filling;
    if (step.next === undefined) return NOTHING_TO_DO_MS;
    return (await this.#make(step.next)) ? NEXT_MS : NOTHING_TO_DO_MS;
  }

  /** After a start those of the newest wallets; from then on it is known what is used. */
  async #keysInUse(): Promise<readonly string[]> {
    if (!this.#hasReadKeys) {
      const newest = await readNewestKeys(this.#work.database, KEYS_IN_USE_MAX);
      this.#hasReadKeys = true;
      this.#keys = [...new Set([...this.#keys, ...newest])].slice(0, KEYS_IN_USE_MAX);
    }
    return this.#keys;
  }

  async #make(set: PresigningRequest): Promise<boolean> {
    const outcome = await this.#work.presign(set);
    if (outcome.kind !== "done") return false;
    const { id, keyId, signers, expiresAtMs } = outcome.value;
    this.#inventory = [...this.#inventory, { id, keyId, signers, expiresAtMs }];
    return true;
  }

  /** Asks the live signers what they hold: now and then, and whenever another set of them lives. */
  async #list(): Promise<void> {
    const { signers, logger } = this.#work;
    const live = signers.live();
    const isSame = live.length === this.#live.length && live.every((index, at) => index === this.#live[at]);
    const nowMs = Date.now();
    if (isSame && nowMs - this.#listedAtMs < LIST_EVERY_MS) return;
    const listings = new Map<PartyIndex, readonly ListedPresignature[]>();
    await Promise.all(
      live.map(async (index) => {
        const listed = await signers.get(index)?.listPresignatures();
        if (listed?.ok === true) listings.set(index, listed.value);
      }),
    );
    const listed = inventoryOf(listings, nowMs);
    this.#inventory = listed.filter(({ id }) => !this.#taken.has(id));
    for (const id of this.#taken) if (!listed.some((entry) => entry.id === id)) this.#taken.delete(id);
    this.#listedAtMs = nowMs;
    this.#live = live;
    for (const [index, ids] of orphansOf(listings, nowMs)) {
      const discarded = await signers.get(index)?.discardPresignatures(ids);
      logger.info({ signer: index, ids: ids.length, ok: discarded?.ok }, "orphaned presignatures discarded");
    }
  }
}
