import type { TurnLimits } from "@conclave/platform";

/** The load that one gateway takes at a time; it refuses the excess before anything is changed. */
export interface AdmissionLimits {
  /** requests that have arrived, whatever they are */
  readonly underWay: number;
  /** requests that are answered from what is on record, or by one question to a chain */
  readonly work: TurnLimits;
  /** requests without a token, by the address that they come from, from their first byte to their answer */
  readonly strangers: TurnLimits;
  /** milliseconds in which the body of one of them arrives */
  readonly arrivalMs: number;
  /** those of them whose body has arrived */
  readonly signingIn: TurnLimits;
  /** those of them with a body that is large or of unknown length: the gateway reads these bodies in turns */
  readonly largeOfStrangers: TurnLimits;
  /**
   * questions to a chain's node about a contract of the caller's choice, who so decides how long the answer takes. As many of one
   * organisation may wait as may be at work: a transfer asks in the middle of its work
   */
  readonly contracts: TurnLimits;
  /** long bodies, which another thread reads one after the other */
  readonly reading: TurnLimits;
  /** requests that wait idle for the signers, up to a minute */
  readonly signing: TurnLimits;
  /** transactions of the database: each has one of the connections, also while it waits for a lock */
  readonly connections: TurnLimits;
  /** single statements of the database: a caller decides how much one costs, as by a filter that nothing fits */
  readonly statements: TurnLimits;
  /** transactions in which a key's request is judged, by key: they wait for each other there, so that more would hold connections in vain */
  readonly keys: TurnLimits;
}

/**
 * The database serves ten requests of a gateway at a time and each for a few milliseconds: 64 under way keep it busy, and a line of a
 * thousand is served within the seconds that it may wait. Two of the ten connections are left to single statements, and one
 * organisation has five of the others. Connections of clients are 4096 at the most (http/server.ts).
 */
export const ADMISSION_LIMITS: AdmissionLimits = {
  underWay: 3_584,
  work: { atOnce: 64, atOnceOfOne: 48, beyondForFirst: 4, waiting: 2_048, waitingOfOne: 512, waitMs: 5_000 },
  strangers: { atOnce: 1_024, atOnceOfOne: 128, waiting: 0, waitingOfOne: 0, waitMs: 0 },
  arrivalMs: 10_000,
  signingIn: { atOnce: 32, atOnceOfOne: 16, waiting: 1_024, waitingOfOne: 128, waitMs: 5_000 },
  largeOfStrangers: { atOnce: 16, atOnceOfOne: 4, waiting: 64, waitingOfOne: 16, waitMs: 5_000 },
  contracts: { atOnce: 32, atOnceOfOne: 8, waiting: 256, waitingOfOne: 48, waitMs: 5_000 },
  reading: { atOnce: 1, atOnceOfOne: 1, waiting: 1_024, waitingOfOne: 64, waitMs: 5_000 },
  signing: { atOnce: 1_024, atOnceOfOne: 512, waiting: 0, waitingOfOne: 0, waitMs: 0 },
  connections: {
    atOnce: 8,
    atOnceOfOne: 5,
    beyondForFirst: 1,
    waiting: 2_048,
    waitingOfOne: 512,
    waitMs: 5_000,
  },
  statements: {
    atOnce: 8,
    atOnceOfOne: 5,
    beyondForFirst: 1,
    waiting: 8_192,
    waitingOfOne: 4_096,
    waitMs: 3_000,
  },
  keys: { atOnce: 2_048, atOnceOfOne: 1, waiting: 2_048, waitingOfOne: 512, waitMs: 5_000 },
};
