import type { ListedPresignature, LiveWork, PresigningResult } from "@conclave/cluster";
import { fail, ok, problem } from "@conclave/custody";
import { type Database, makeLogger } from "@conclave/platform";
import type { CoordinationOutcome as Outcome } from "@conclave/platform/coordination";
import { processWorld } from "@conclave/platform/world";
import { type PartyIndex, partyIndex } from "@conclave/threshold";
import type { PresigningRequest } from "../coordinators.ts";
import { type LeaseBook, Leases } from "../presignatures/leases.ts";
import { PresignatureStock, type StockMarks, type StockSigners } from "../presignatures/stock.ts";

const HOUR_MS = 60 * 60_000;
const BEGAN_MS = Date.parse("2026-11-20T00:00:00.000Z");

export const partyAt = (index: number): PartyIndex => {
  const party = partyIndex(index);
  if (party === undefined) throw new RangeError("no party");
  return party;
};

/**
 * The ready presignatures of signers, as lists. They refuse a spent presignature; a second use of one raises the alarm.
 * The test moves the time.
 */
export class PoolOfSigners {
  readonly parties: readonly PartyIndex[];
  readonly threshold: number;
  readonly discarded: string[] = [];
  /** the presignings that were carried out, in order */
  readonly made: PresigningRequest[] = [];
  /** milliseconds of a monotonic clock */
  monotonicMs = 0;
  /** Unix milliseconds when that clock began, by the orchestrators' clock: setting their clock changes it */
  beganMs = BEGAN_MS;
  /** number of requests for a second signature with one presignature (P6) */
  alarms = 0;
  fails = false;
  /** a signer that refuses every presigning */
  refusing: PartyIndex | undefined;
  /** signers that do not answer for their presignatures */
  readonly silent = new Set<PartyIndex>();
  readonly #held: ReadonlyMap<PartyIndex, ListedPresignature[]>;
  readonly #spent = new Map<string, string>();
  #ids = 0;

  constructor(size: number, threshold: number) {
    this.parties = Array.from({ length: size }, (_, at) => partyAt(at + 1));
    this.threshold = threshold;
    this.#held = new Map(this.parties.map((index) => [index, []]));
  }

  /** Unix milliseconds, by the clock of the signers */
  get nowMs(): number {
    return BEGAN_MS + this.monotonicMs;
  }

  /** Gives all signers of the set the presignature. @returns its id */
  hold(keyId: string, signers: readonly PartyIndex[], at: readonly PartyIndex[] = signers): string {
    this.#ids += 1;
    const id = this.#ids.toString(16).padStart(64, "0");
    const times = { createdAtMs: this.nowMs, expiresAtMs: this.nowMs + 24 * HOUR_MS };
    for (const index of at) this.#held.get(index)?.push({ id, keyId, signers, ...times, isUsable: true });
    return id;
  }

  /** Signers use the presignature for one request. For another request they refuse, and raise the alarm. */
  spend(id: string, request: string): boolean {
    const before = this.#spent.get(id);
    if (before !== undefined) {
      if (before !== request) this.alarms += 1;
      return false;
    }
    this.#spent.set(id, request);
    return this.#remove(id);
  }

  readonly presign = async (request: PresigningRequest): Promise<Outcome<PresigningResult>> => {
    const isRefused = this.refusing !== undefined && request.signers.includes(this.refusing);
    if (this.fails || isRefused) return { kind: "failed", problem: problem("ServiceUnavailable") };
    const id = this.hold(request.keyId, request.signers);
    this.made.push(request);
    return { kind: "done", value: { ...request, id, expiresAtMs: this.nowMs + 24 * HOUR_MS } };
  };

  get signers(): StockSigners {
    return {
      live: () => this.parties,
      get: (index) => ({
        listPresignatures: async () =>
          this.silent.has(index) ? fail("ServiceUnavailable") : ok([...(this.#held.get(index) ?? [])]),
        discardPresignatures: async (ids) => {
          this.discarded.push(...ids);
          for (const id of ids) this.#remove(id);
          return ok(ids.length);
        },
      }),
    };
  }

  #remove(id: string): boolean {
    let isThere = false;
    for (const list of this.#held.values()) {
      const at = list.findIndex((each) => each.id === id);
      if (at >= 0) list.splice(at, 1);
      isThere ||= at >= 0;
    }
    return isThere;
  }
}

/** The state of the orchestrator, as far as its stock sees it; tests set it. */
export interface StockFlags {
  live: LiveWork;
  /** number of signatures begun */
  begun: number;
  isReady: boolean;
  apart: readonly PartyIndex[];
}

/** One orchestrator's stock over a pool of signers. */
export const stockOver = (
  pool: PoolOfSigners,
  given: {
    readonly book: LeaseBook;
    readonly marks: StockMarks;
    /** the newest keys at the start */
    readonly newestKeys?: readonly string[];
    readonly presign?: typeof pool.presign;
  },
) => {
  const flags: StockFlags = { live: "none", begun: 0, isReady: true, apart: [] };
  const database: Pick<Database, "listed"> = {
    listed: async (schema) => {
      const keys = (given.newestKeys ?? []).map((id) => schema.parse({ id }));
      return Object.assign(keys, { leftOut: 0 });
    },
  };
  const leases = new Leases(given.book, () => pool.monotonicMs);
  const stock = new PresignatureStock({
    database,
    signers: pool.signers,
    leases,
    marks: given.marks,
    live: () => flags.live,
    begun: () => flags.begun,
    isReady: () => flags.isReady,
    usable: () => pool.parties,
    holders: {
      ofNewKeys: { threshold: pool.threshold, parties: pool.parties },
      known: () => ({ threshold: pool.threshold, parties: pool.parties }),
      learn: async () => undefined,
    },
    isApart: (signers) => flags.apart.length > 0 && flags.apart.every((signer) => signers.includes(signer)),
    slowness: () => 0,
    presign: given.presign ?? pool.presign,
    world: {
      nowMs: () => pool.beganMs + pool.monotonicMs,
      monotonicMs: () => pool.monotonicMs,
      entropy: processWorld.entropy,
    },
    logger: makeLogger({ name: "test", level: "silent" }),
  });
  return { stock, leases, flags };
};

/** A lease book for a single orchestrator. */
export const ownBook = (): LeaseBook => ({
  claim: async ({ ids, most }) => ({ granted: ids.slice(0, most), otherHolders: 0 }),
  release: async () => undefined,
});
