import { createHash } from "node:crypto";
import { AUTHORISATION_AGE_MS_MAX, type SchemeSignature } from "@conclave/custody";
import type { PartlySigned } from "./signing-port.ts";

/**
 * How long parts are kept after the newest one: time enough for the gateway to renew the authorisation, and for signers
 * to return.
 */
const KEPT_MS = 2 * AUTHORISATION_AGE_MS_MAX;
/** Limit on the requests whose parts are kept, each with at most SIGNABLES_MAX signatures. */
const REQUESTS_MAX = 64;

interface Kept {
  readonly signatures: readonly SchemeSignature[];
  readonly untilMs: number;
}

const digestOf = ({ keyId, unsigned, signables }: PartlySigned): string => {
  const hash = createHash("sha256")
    .update(JSON.stringify([keyId, unsigned.length]))
    .update(unsigned);
  for (const { scheme, bytes } of signables) {
    hash.update(JSON.stringify([scheme, bytes.length])).update(bytes);
  }
  return hash.digest("hex");
};

/**
 * Signatures of requests that still lack others, in memory: a session that fails costs its own presignatures, and not
 * those of earlier sessions. A new process has none, and its requests start again.
 */
export class SignedParts {
  readonly #monotonicMs: () => number;
  readonly #kept = new Map<string, Kept>();

  /** @param monotonicMs a monotonic clock, in milliseconds */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** The kept signatures of a request's first signables, in order; each was verified when it came. */
  of(request: PartlySigned): readonly SchemeSignature[] {
    const kept = this.#kept.get(digestOf(request));
    return kept !== undefined && this.#monotonicMs() < kept.untilMs ? kept.signatures : [];
  }

  /** Replaces the kept signatures of a request. When there are too many requests, the oldest are dropped. */
  keep(request: PartlySigned, signatures: readonly SchemeSignature[]): void {
    const digest = digestOf(request);
    this.#kept.delete(digest);
    this.#kept.set(digest, { signatures, untilMs: this.#monotonicMs() + KEPT_MS });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (this.#kept.size <= REQUESTS_MAX && this.#monotonicMs() < untilMs) return;
      this.#kept.delete(oldest);
    }
  }

  /** Drops the signatures of a request that is wholly signed. */
  forget(request: PartlySigned): void {
    this.#kept.delete(digestOf(request));
  }
}
