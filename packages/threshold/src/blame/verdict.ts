import type { PartyIndex } from "../fault.ts";

/** A fault that anybody with the roster can verify. */
export interface ProvenFault {
  readonly kind: "proven";
  readonly culprit: PartyIndex;
  readonly check: string;
  /** how the culprit deviated, in plain words */
  readonly sentence: string;
}

/** The verdict on evidence, the same for everybody who has the roster. */
export type Verdict =
  | ProvenFault
  | {
      readonly kind: "unproven";
      /** the reason, in plain words */
      readonly why: string;
    };
