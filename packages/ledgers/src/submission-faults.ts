/** An operator's faults for the next submissions, on any chain. */
export interface SubmissionFaults {
  /** how many submissions are refused unread, with this message and HTTP status */
  readonly refusals: { readonly count: number; readonly message: string; readonly status: number };
  /** how many submissions are processed as usual, but never answered */
  readonly lostReplies: number;
}

export const NO_FAULTS: SubmissionFaults = {
  refusals: { count: 0, message: "", status: 400 },
  lostReplies: 0,
};

export interface SubmissionFate {
  readonly refusal: { readonly message: string; readonly status: number } | undefined;
  readonly replyIsLost: boolean;
  /** the remaining faults, for later submissions */
  readonly faults: SubmissionFaults;
}

/**
 * Determines the faults of one submission. It uses up one fault of each kind, so both kinds can hit the same submission.
 */
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
