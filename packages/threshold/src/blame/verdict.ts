import type { PartyIndex } from "../fault.ts";

/** A fault that anybody with the roster can verify. */
export interface ProvenFault {
  readonly kind: "proven";
  readonly culprit: PartyIndex;
  readonly check: string;
  /** the culprit's deviation, in plain words */
  readonly sentence: string;
}

/** The result of evidence for anybody who has the roster. */
export type Verdict =
  | ProvenFault
  | {
      readonly kind: "unproven";
      /** why, in plain words */
      readonly why: string;
    };
