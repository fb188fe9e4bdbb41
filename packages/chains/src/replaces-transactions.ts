import type { ChainFamily } from "./chain.ts";

/** Whether a family replaces waiting transactions. In the others a signed transaction lands before it expires, or never. */
export const replacesTransactions = ({ replacements }: Pick<ChainFamily, "replacements">): boolean =>
  replacements.bump !== undefined;
