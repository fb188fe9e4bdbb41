/** Paths of POST operations that wait for the signers: they make keys and wallets, or await signatures and broadcasts. */
const WAITING: readonly RegExp[] = [
  /^\/auth\/registration\/enduser$/,
  /^\/(wallets|keys)(\/import)?$/,
  /^\/(wallets|keys)\/[^/]+\/(export|signatures|transactions)$/,
  /^\/wallets\/[^/]+\/(transfers|transactions)\/[^/]+\/(speed-up|cancel)$/,
];

/** Operations that ask a node about contracts that a caller names or has made known. */
const ASKS_CONTRACTS: readonly (readonly [string, RegExp])[] = [
  ["POST", /^\/networks\/(read-contract|[^/]+\/(call-function|transactions\/reindex))$/],
  ["GET", /^\/wallets\/[^/]+\/(assets|nfts)$/],
];

/** Whether the caller decides how much work a request causes at a chain's node. */
export const asksContracts = (method: string, path: string): boolean =>
  ASKS_CONTRACTS.some(([asked, pattern]) => asked === method && pattern.test(path));

/** Whether a request waits for the signers before it is answered. */
export const waitsForSigners = (method: string, path: string): boolean =>
  method === "POST" && WAITING.some((pattern) => pattern.test(path));
