import type { JavaTronRefusal } from "./rules/applied.ts";

/** An operator's faults for the next submissions. */
export interface JavaTronFaults {
  /** how many submissions are refused unread */
  readonly refusals: { readonly count: number; readonly refusal: JavaTronRefusal };
  /** how many submissions are answered with success, but dropped */
  readonly swallowed: number;
  /** how many submissions are processed as usual, but never answered */
  readonly lostReplies: number;
}

export const NO_JAVA_TRON_FAULTS: JavaTronFaults = {
  refusals: { count: 0, refusal: { code: "SERVER_BUSY", message: "Server busy." } },
  swallowed: 0,
  lostReplies: 0,
};

export interface JavaTronFate {
  readonly refusal: JavaTronRefusal | undefined;
  readonly isSwallowed: boolean;
  readonly replyIsLost: boolean;
  /** the remaining faults, for later submissions */
  readonly faults: JavaTronFaults;
}

const oneLess = (count: number): number => Math.max(0, count - 1);

/** Determines the faults of one submission. It uses up one fault of each kind, so all kinds can hit the same submission. */
export const fateOfJavaTronSubmission = (faults: JavaTronFaults): JavaTronFate => {
  const { refusals, swallowed, lostReplies } = faults;
  return {
    refusal: refusals.count > 0 ? refusals.refusal : undefined,
    isSwallowed: swallowed > 0,
    replyIsLost: lostReplies > 0,
    faults: {
      refusals: { ...refusals, count: oneLess(refusals.count) },
      swallowed: oneLess(swallowed),
      lostReplies: oneLess(lostReplies),
    },
  };
};
