import type { ChainFamily } from "./chain.ts";

/**
 * Whether a family replaces transactions that wait. In the others a signed transaction lands, or can land no more once its time is
 * over.
 */
export const replacesTransactions = ({ replacements }: Pick<ChainFamily, "replacements">): boolean =>
  replacements.bump !== undefined;
