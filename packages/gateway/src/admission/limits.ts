import type { TurnLimits } from "@conclave/platform";

/** The load that one gateway takes at a time; it refuses the excess before anything is changed. */
export interface AdmissionLimits {
  /** requests of any kind that have arrived */
  readonly underWay: number;
  /** requests that are answered from the database, or by one question to a chain */
  readonly work: TurnLimits;
  /** requests without a token, by address, from the first byte to the answer */
  readonly strangers: TurnLimits;
  /** milliseconds within which the body of a request without a token must arrive */
  readonly arrivalMs: number;
  /** requests without a token whose body has arrived */
  readonly signingIn: TurnLimits;
  /** requests without a token that wait for an identity provider, so that one that is slow holds up no other login */
  readonly atProviders: TurnLimits;
  /** requests without a token with a body that is large or of unknown length: the gateway reads these bodies in turns */
  readonly largeOfStrangers: TurnLimits;
  /**
   * questions to a chain's node about a contract of the caller's choice, which decides how long the answer takes. As
   * many of one organisation may wait as may be at work, because a transfer asks in the middle of its work
   */
  readonly contracts: TurnLimits;
  /** long bodies, which another thread reads one after the other */
  readonly reading: TurnLimits;
  /** requests that wait for the signers without using resources, up to a minute */
  readonly signing: TurnLimits;
  /** database transactions: each holds a connection, also while it waits for a lock */
  readonly connections: TurnLimits;
  /** single database statements, whose cost a caller decides, for example by a filter that matches nothing */
  readonly statements: TurnLimits;
  /**
   * transactions in which a key's request is judged, by key: they would wait for each other anyway, so more would only
   * hold connections
   */
  readonly keys: TurnLimits;
}

/**
 * The database serves ten requests of a gateway at a time, each for a few milliseconds: 64 under way keep it busy, and
 * a queue of a thousand is served within the seconds that it may wait. Two of the ten connections are reserved for
 * single statements, and one organisation gets at most five of the others. Clients have at most 4096 connections
 * (http/server.ts).
 */
export const ADMISSION_LIMITS: AdmissionLimits = {
  underWay: 3_584,
  work: { atOnce: 64, atOnceOfOne: 48, beyondForFirst: 4, waiting: 2_048, waitingOfOne: 512, waitMs: 5_000 },
  strangers: { atOnce: 1_024, atOnceOfOne: 128, waiting: 0, waitingOfOne: 0, waitMs: 0 },
  arrivalMs: 10_000,
  signingIn: { atOnce: 32, atOnceOfOne: 16, waiting: 1_024, waitingOfOne: 128, waitMs: 5_000 },
  atProviders: { atOnce: 64, atOnceOfOne: 16, waiting: 256, waitingOfOne: 32, waitMs: 5_000 },
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
