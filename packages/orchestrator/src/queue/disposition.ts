import type { Claim } from "@conclave/platform";

/** The way that a request goes on after a look at it. */
export type Disposition =
  /** it asks for nothing more */
  | { readonly kind: "Done" }
  /** look at it again, not before the delay has passed */
  | { readonly kind: "Again"; readonly afterMs: number };

export const DONE: Disposition = { kind: "Done" };

/** A request as a handler gets it. */
export interface HeldRequest extends Pick<Claim, "id" | "attempt"> {
  /** Whether nobody else can have taken it over. A process that was paused asks before it goes on. */
  isHeld(): boolean;
}

/**
 * Looks at one request. It may take any time, because its lease is extended meanwhile. It has to be idempotent, because a request may be
 * looked at twice. An error that it throws is reported, and the request is looked at again later.
 */
export type RequestLook = (request: HeldRequest) => Promise<Disposition>;
