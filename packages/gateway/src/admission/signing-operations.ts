/** Paths of POST whose answer waits for the signers: keys and wallets are made, signatures and broadcasts awaited. */
const WAITING: readonly RegExp[] = [
  /^\/auth\/registration\/enduser$/,
  /^\/(wallets|keys)(\/import)?$/,
  /^\/(wallets|keys)\/[^/]+\/(export|signatures|transactions)$/,
  /^\/wallets\/[^/]+\/(transfers|transactions)\/[^/]+\/(speed-up|cancel)$/,
];

/** Whether a request waits for the signers before it is answered. */
export const waitsForSigners = (method: string, path: string): boolean =>
  method === "POST" && WAITING.some((pattern) => pattern.test(path));
