import type { PartyIndex } from "@conclave/threshold";
import type { Violation } from "../violation.ts";
import type { AskedPayload } from "./asked-payloads.ts";

/** A command to sign that a signer has answered with signatures. */
export interface AnsweredCommand {
  /** virtual milliseconds since the beginning */
  readonly atMs: number;
  readonly signer: PartyIndex;
  readonly asked: AskedPayload;
  /** the digest of each signature, lower-case hex; undefined where no key of the cluster made it */
  readonly digests: readonly (string | undefined)[];
}

/** Judges the answer to one command, by that command alone. @returns what it violates */
export type JudgeAnswer = (answered: AnsweredCommand) => readonly Violation[];
