/** The faults that an operator arranged for the next submissions, of any chain. */
export interface SubmissionFaults {
  /** submissions that are refused before anything is looked at, with these words and this HTTP status */
  readonly refusals: { readonly count: number; readonly message: string; readonly status: number };
  /** submissions that are treated as ever, and whose answer never arrives */
  readonly lostReplies: number;
}

export const NO_FAULTS: SubmissionFaults = {
  refusals: { count: 0, message: "", status: 400 },
  lostReplies: 0,
};

export interface SubmissionFate {
  readonly refusal: { readonly message: string; readonly status: number } | undefined;
  readonly replyIsLost: boolean;
  /** the rest for later submissions */
  readonly faults: SubmissionFaults;
}

/** The fate of one submission: each fault is used up one by one, and both may meet the same submission. */
export const fateOfSubmission = (faults: SubmissionFaults): SubmissionFate => {
  const { refusals, lostReplies } = faults;
  return {
    refusal: refusals.count > 0 ? { message: refusals.message, status: refusals.status } : undefined,
    replyIsLost: lostReplies > 0,
    faults: {
      refusals: { ...refusals, count: Math.max(0, refusals.count - 1) },
      lostReplies: Math.max(0, lostReplies - 1),
    },
  };
};
