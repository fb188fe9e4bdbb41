import type { PartyIndex } from "@conclave/threshold";
import type { Violation } from "./violation.ts";

/** A partial signature that a signer made, as the engine saw it. */
export interface MadePartial {
  /** virtual milliseconds since the beginning */
  readonly atMs: number;
  /** times of the signer's own clock, now and shortly before, when it decided to sign; Unix milliseconds */
  readonly clocksMs: readonly number[];
  readonly signer: PartyIndex;
  readonly keyId: string;
  /** the session that made the presignature, lower-case hex */
  readonly presignature: string;
  /** lower-case hex */
  readonly digest: string;
}

/** Judges each partial signature as it is made. @returns what it violates */
export type JudgePartial = (partial: MadePartial) => readonly Violation[];
