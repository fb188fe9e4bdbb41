import type { Claim, Connection } from "@conclave/platform";

/** The result of a look at a request. */
export type Disposition =
  /** nothing more to do */
  | { readonly kind: "Done" }
  /** look at it again, after the delay */
  | { readonly kind: "Again"; readonly afterMs: number };

export const DONE: Disposition = { kind: "Done" };

/** A request as a handler gets it. */
export interface HeldRequest extends Pick<Claim, "id" | "attempt"> {
  /** Whether this process certainly still holds the request. A process that was paused checks before it continues. */
  isHeld(): boolean;
  /**
   * Locks the request to the end of a transaction, so that no other process takes it over before the transaction's writes can be seen: a
   * pause may come between `isHeld` and a write.
   * @returns false if another process has taken the request over, or it has ended
   */
  lock(connection: Connection): Promise<boolean>;
}

/**
 * Looks at one request. It may take any time, as its lease is extended meanwhile. It must be idempotent, as a request
 * may be looked at twice. If it throws, the error is reported and the request is looked at again later.
 */
export type RequestLook = (request: HeldRequest) => Promise<Disposition>;
