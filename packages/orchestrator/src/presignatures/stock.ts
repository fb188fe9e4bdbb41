import {
  type Demand,
  inOrderOfUse,
  inventoryOf,
  type LiveWork,
  nextToFill,
  orphansOf,
  type PresignatureSet,
  type PresigningResult,
  type ReadyPresignature,
  readyAsBefore,
  setName,
  wantedKeys,
  withUse,
} from "@conclave/cluster";
import type { World } from "@conclave/custody";
import { type Database, type Logger, readNewestKeys } from "@conclave/platform";
import type { CoordinationOutcome as Outcome, Signer, Signers } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { PresigningRequest } from "../coordinators.ts";
import type { HoldersOfKeys } from "../keys/key-committees.ts";
import { orphansDiscarded } from "../log/session-events.ts";
import type { PresignatureSource } from "./drawing.ts";
import type { Leases } from "./leases.ts";
import { askForListings } from "./listings.ts";

/** The number of presignatures to keep for each set of signers of a key in use. */
export interface StockMarks {
  /** a set with fewer than this is filled */
  readonly low: number;
  /** up to this number; with 0 there is no stock, and every signature makes its own presignature */
  readonly high: number;
}

/** Number of keys, the newest, that are stocked after a start, until uses are known. */
const KEYS_AT_START = 4;
/** Limit on presignatures of all keys and sets together, of all orchestrators. */
const STOCK_MAX = 200;
/** Pause between two presignatures, so that waiting live work gets its turn. */
const NEXT_MS = 10;
const NOTHING_TO_DO_MS = 500;
const BUSY_MS = 100;
/** How often signers are asked for their presignatures; in between, this process tracks its own changes. */
const LIST_EVERY_MS = 10_000;
/** How long a set comes last after a failed presigning. */
const FAILED_MS = 60_000;
/** How often leases are checked; those that end soon are renewed. */
const RENEW_EVERY_MS = 5_000;

/** The part of the signers that the stock needs. */
export interface StockSigners extends Pick<Signers, "live"> {
  get(index: PartyIndex): Pick<Signer, "listPresignatures" | "discardPresignatures"> | undefined;
}

export interface StockWork {
  readonly database: Pick<Database, "listed">;
  readonly signers: StockSigners;
  /** which presignatures only this process may use */
  readonly leases: Leases;
  readonly marks: StockMarks;
  /** live work, which goes first */
  readonly live: () => LiveWork;
  /** number of signatures of any kind that were begun since the start */
  readonly begun: () => number;
  /** whether the cluster can presign at all */
  readonly isReady: () => boolean;
  /** signers that may take part in sessions now */
  readonly usable: () => readonly PartyIndex[];
  readonly holders: HoldersOfKeys;
  /** whether two of these signers lately failed together */
  readonly isApart: (signers: readonly PartyIndex[]) => boolean;
  /** how slow these signers are together (`slownessOf`), 0 for as fast as others */
  readonly slowness: (signers: readonly PartyIndex[]) => number;
  readonly presign: (request: PresigningRequest) => Promise<Outcome<PresigningResult>>;
  readonly world: Pick<World, "nowMs" | "monotonicMs" | "entropy">;
  readonly logger: Logger;
}

/** The presignatures that this process has, ready at all of their signers, and the numbers of those handed out. */
export interface StockListing {
  readonly ready: number;
  readonly sets: readonly {
    readonly keyId: string;
    readonly signers: readonly number[];
    readonly ready: number;
  }[];
}

/**
 * The stock of presignatures of this process: leased so that other orchestrators do not use them, filled in the
 * background below live work, used up by signing, each by one request. The signers decide: they refuse a used one.
 */
export class PresignatureStock implements PresignatureSource {
  readonly #work: StockWork;
  /** presignatures that are ready at all of their signers; usable while the lease lasts */
  #inventory: readonly ReadyPresignature[] = [];
  #demand: Demand = new Map();
  #hasReadKeys = false;
  #filling: ReadonlySet<string> = new Set();
  /** time of the last failed presigning of a set, by the set's name */
  readonly #failedAtMs = new Map<string, number>();
  #begunAtLast = 0;
  #listedAtMs: number | undefined;
  #live: readonly PartyIndex[] = [];

  constructor(work: StockWork) {
    this.#work = work;
  }

  get view(): StockListing {
    const sets = new Map<string, { keyId: string; signers: readonly number[]; ready: number }>();
    const own = this.#own();
    for (const { keyId, signers } of own) {
      const name = `${keyId}/${signers.join()}`;
      const known = sets.get(name);
      sets.set(name, { keyId, signers, ready: (known?.ready ?? 0) + 1 });
    }
    return { ready: own.length, sets: [...sets.values()] };
  }

  /** Lists the presignatures from which one attempt may choose, in order of preference. None is handed out yet: see `take`. */
  offer(keyId: string): readonly ReadyPresignature[] {
    const own = this.#own().filter((each) => each.keyId === keyId);
    if (own.length === 0) return [];
    const usable = new Set(this.#work.usable());
    const isUsable = ({ signers }: ReadyPresignature): boolean => signers.every((s) => usable.has(s));
    const sound = own.filter((each) => isUsable(each) && !this.#work.isApart(each.signers));
    return inOrderOfUse(sound.length > 0 ? sound : own, keyId, usable, this.#work.world.entropy);
  }

  /** Takes presignatures out of the stock for one attempt, and for no other. Must be called in the same turn as the offer. */
  take(taken: readonly ReadyPresignature[]): void {
    const ids = taken.map(({ id }) => id);
    this.#work.leases.take(ids);
    this.#inventory = this.#inventory.filter(({ id }) => !ids.includes(id));
  }

  /**
   * Notes that a key was made or is signed with, so that a stock is kept for it.
   * @param count presignatures that the use takes
   */
  noteUse(keyId: string, count = 1): void {
    this.#demand = withUse(this.#demand, keyId, count, this.#work.world.monotonicMs());
  }

  /**
   * One round: makes one presignature when a set lacks it and it is the stock's turn.
   *
   * @returns the pause until the next round, in milliseconds
   */
  async look(): Promise<number> {
    const { marks, isReady } = this.#work;
    if (marks.high === 0 || !isReady()) return NOTHING_TO_DO_MS;
    await this.#list();
    await this.#readKeys();
    await this.#learnHolders();
    const { filling, next, evict } = this.#next();
    this.#filling = filling;
    if (next === undefined) return this.#work.live() === "now" ? BUSY_MS : NOTHING_TO_DO_MS;
    if (evict !== undefined) await this.#discardOne(evict);
    this.#begunAtLast = this.#work.begun();
    return (await this.#make(next)) ? NEXT_MS : NOTHING_TO_DO_MS;
  }

  /**
   * Renews the leases of the stock, up to this process's share. Separate from `look`, as a presigning takes seconds.
   * @returns the pause until the next call, in milliseconds
   */
  async renew(): Promise<number> {
    const own = this.#own().map(({ id }) => id);
    await this.#work.leases.claim(own.slice(0, this.#shareMax()), own.length);
    return RENEW_EVERY_MS;
  }

  /** The presignatures that are ready, not too old, and leased to this process for long enough. */
  #own(): readonly ReadyPresignature[] {
    const unixMs = this.#work.world.nowMs();
    return this.#inventory.filter(
      ({ id, expiresAtMs }) => expiresAtMs > unixMs && this.#work.leases.isHeld(id),
    );
  }

  /** Limit on the presignatures of one of several orchestrators. */
  #shareMax(): number {
    return Math.max(1, Math.floor(STOCK_MAX / this.#work.leases.holders));
  }

  #next(): ReturnType<typeof nextToFill> {
    const { holders, marks, usable, isApart, slowness, live, begun, world } = this.#work;
    const nowMs = world.monotonicMs();
    for (const [name, failedMs] of this.#failedAtMs) {
      if (nowMs - failedMs >= FAILED_MS) this.#failedAtMs.delete(name);
    }
    return nextToFill(
      {
        ...holders.ofNewKeys,
        holdersOf: (keyId) => holders.known(keyId),
        lowWater: marks.low,
        highWater: marks.high,
        totalMax: this.#shareMax(),
        atOnceMax: 1,
      },
      {
        usable: new Set(usable()),
        isApart,
        slowness,
        hasFailed: (set) => this.#failedAtMs.has(setName(set)),
        keys: wantedKeys(this.#demand, nowMs),
        inventory: this.#own(),
        underWay: [],
        filling: this.#filling,
        live: live(),
        begunSince: begun() - this.#begunAtLast,
      },
    );
  }

  /** After a start, stocks the newest keys, until uses are known. */
  async #readKeys(): Promise<void> {
    if (this.#hasReadKeys) return;
    const newest = await readNewestKeys(this.#work.database, KEYS_AT_START);
    this.#hasReadKeys = true;
    for (const keyId of newest) if (!this.#demand.has(keyId)) this.noteUse(keyId);
  }

  /** Learns the holders of wanted keys: during a roster change, a key may have other holders than new keys have. */
  async #learnHolders(): Promise<void> {
    const wanted = wantedKeys(this.#demand, this.#work.world.monotonicMs());
    const { holders } = this.#work;
    const unknown = wanted.filter(({ keyId }) => holders.known(keyId) === undefined);
    await Promise.all(unknown.map(({ keyId }) => holders.learn(keyId)));
  }

  async #make(set: PresigningRequest): Promise<boolean> {
    const outcome = await this.#work.presign(set);
    if (outcome.kind !== "done") {
      this.#failedAtMs.set(setName(set), this.#work.world.monotonicMs());
      return false;
    }
    const { id, keyId, signers, expiresAtMs } = outcome.value;
    await this.#work.leases.claim([id], 1);
    this.#inventory = [...this.#inventory, { id, keyId, signers, expiresAtMs }];
    return true;
  }

  /** Discards the presignature of a set that expires first, to make room for a key that has none. */
  async #discardOne({ keyId, signers }: PresignatureSet): Promise<void> {
    const [oldest] = this.#own()
      .filter((each) => each.keyId === keyId && String(each.signers) === String(signers))
      .toSorted((a, b) => a.expiresAtMs - b.expiresAtMs);
    if (oldest === undefined) return;
    this.take([oldest]);
    await Promise.all(
      oldest.signers.map((index) => this.#work.signers.get(index)?.discardPresignatures([oldest.id])),
    );
  }

  /** Lists the live signers' presignatures: at intervals, and whenever the live signers change. */
  async #list(): Promise<void> {
    const { signers, leases, logger, world } = this.#work;
    const live = signers.live();
    const isSame = live.length === this.#live.length && live.every((index, at) => index === this.#live[at]);
    const askedMs = world.monotonicMs();
    const isLate = this.#listedAtMs === undefined || askedMs - this.#listedAtMs >= LIST_EVERY_MS;
    if (isSame && !isLate) return;
    const unixMs = world.nowMs();
    const listings = await askForListings(signers, live);
    const found = [...inventoryOf(listings, unixMs), ...readyAsBefore(this.#inventory, listings, live)];
    const listed = found.filter(({ id }) => !leases.isTaken(id));
    await leases.claim(this.#preferred(listed), this.#shareMax(), askedMs);
    this.#inventory = listed.filter(({ id }) => !leases.isTaken(id));
    this.#listedAtMs = askedMs;
    this.#live = live;
    for (const [index, ids] of orphansOf(listings, unixMs)) {
      const discarded = await signers.get(index)?.discardPresignatures(ids);
      orphansDiscarded(logger, { signer: index, ids: ids.length, ok: discarded?.ok });
    }
  }

  /**
   * In order of preference: the presignatures that this process has, then others that it may get, those of the most
   * wanted keys first.
   */
  #preferred(listed: readonly ReadyPresignature[]): readonly string[] {
    const wanted = wantedKeys(this.#demand, this.#work.world.monotonicMs()).map(({ keyId }) => keyId);
    const rank = ({ keyId }: ReadyPresignature): number => wanted.indexOf(keyId) + 1 || Number.MAX_VALUE;
    const isOther = ({ id }: ReadyPresignature): number => (this.#work.leases.isHeld(id) ? 0 : 1);
    return listed.toSorted((a, b) => isOther(a) - isOther(b) || rank(a) - rank(b)).map(({ id }) => id);
  }
}
