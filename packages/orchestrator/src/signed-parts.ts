import { createHash } from "node:crypto";
import { AUTHORISATION_AGE_MS_MAX, type SchemeSignature } from "@conclave/custody";
import type { PartlySigned } from "./signing-port.ts";

/** From the newest part on: time enough for the gateway to authorise the rest anew, and for signers to come back. */
const KEPT_MS = 2 * AUTHORISATION_AGE_MS_MAX;
/** Of so many requests parts are kept at a time, each of at most SIGNABLES_MAX signatures. */
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
 * Signatures of requests whose other signatures are still to come, in memory: a session that is not signed costs its own presignatures, and not
 * those of the sessions before it. A process that starts anew has none, and its requests start again.
 */
export class SignedParts {
  readonly #monotonicMs: () => number;
  readonly #kept = new Map<string, Kept>();

  /** @param monotonicMs a clock that only counts, in milliseconds */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** The signatures that there are, of its first signables, in their order; each was verified when it came. */
  of(request: PartlySigned): readonly SchemeSignature[] {
    const kept = this.#kept.get(digestOf(request));
    return kept !== undefined && this.#monotonicMs() < kept.untilMs ? kept.signatures : [];
  }

  /** Replaces those that there were. The oldest give way when there are too many. */
  keep(request: PartlySigned, signatures: readonly SchemeSignature[]): void {
    const digest = digestOf(request);
    this.#kept.delete(digest);
    this.#kept.set(digest, { signatures, untilMs: this.#monotonicMs() + KEPT_MS });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (this.#kept.size <= REQUESTS_MAX && this.#monotonicMs() < untilMs) return;
      this.#kept.delete(oldest);
    }
  }

  /** It is signed whole. */
  forget(request: PartlySigned): void {
    this.#kept.delete(digestOf(request));
  }
}
