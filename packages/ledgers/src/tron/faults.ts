import type { JavaTronRefusal } from "./rules/applied.ts";

/** The faults that an operator arranged for the next submissions. */
export interface JavaTronFaults {
  /** submissions that are refused before anything is looked at */
  readonly refusals: { readonly count: number; readonly refusal: JavaTronRefusal };
  /** submissions that are taken in words, and forgotten at once */
  readonly swallowed: number;
  /** submissions that are treated as ever, and whose answer never arrives */
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
  /** the rest for later submissions */
  readonly faults: JavaTronFaults;
}

const oneLess = (count: number): number => Math.max(0, count - 1);

/** The fate of one submission: each fault is used up one by one, and all may meet the same submission. */
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
