import type { z } from "zod";
import { makeId } from "./identifiers.ts";

const ID_BYTES = 26;
const UUID_BYTES = 16;

/** A pending or repeating timer. */
export interface Timer {
  /** Stops the timer. Harmless at any time, and more than once. */
  readonly stop: () => void;
}

/** Ends a wait early; an AbortSignal is one. */
export interface EndSignal {
  readonly aborted: boolean;
  readonly addEventListener: (kind: "abort", heard: () => void) => void;
  readonly removeEventListener: (kind: "abort", heard: () => void) => void;
}

/** Time and randomness, from which the rest of a `World` is made. */
export interface TimeAndChance {
  /** Unix milliseconds, whole; may jump either way when the system clock is set */
  readonly nowMs: () => number;
  /** milliseconds since an arbitrary moment, never decreasing: to measure durations */
  readonly monotonicMs: () => number;
  /**
   * Runs a function once, later: never before this call has returned. Timers that are due earlier run
   * earlier; timers due at the same time run in the order of these calls.
   * @param ms 0 or less: as soon as possible; at most 2^31 - 1
   */
  readonly after: (ms: number, run: () => void) => Timer;
  /** Runs a function repeatedly, every `ms` milliseconds, the first time after `ms`; at least 1. */
  readonly every: (ms: number, run: () => void) => Timer;
  /** cryptographically random bytes */
  readonly entropy: (length: number) => Uint8Array;
}

/**
 * Time and randomness: all code that needs them takes them from here, so that the same code runs in a process
 * and in virtual time, where a seed determines the run. One conformance suite tests every implementation:
 * `cluster/src/testing/ports/world-conformance.ts`.
 */
export interface World extends TimeAndChance {
  /** Resolves after `ms` milliseconds, or when the signal aborts; the signal shows which. Never rejects. */
  readonly sleep: (ms: number, signal?: EndSignal) => Promise<void>;
  /** a new id of the schema's kind, for example `freshId(walletIdSchema, "wa")` */
  readonly freshId: <Schema extends z.ZodType>(schema: Schema, prefix: string) => z.output<Schema>;
  /** a UUID of version 4 (RFC 9562, section 5.4) */
  readonly freshUuid: () => string;
}

export const worldOf = (parts: TimeAndChance): World => ({
  ...parts,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const end = (): void => {
        timer.stop();
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = parts.after(ms, end);
      signal?.addEventListener("abort", end);
    }),
  freshId: (schema, prefix) => makeId(schema, prefix, parts.entropy(ID_BYTES)),
  freshUuid: () => uuidOf(parts.entropy(UUID_BYTES)),
});

/** The time as ISO 8601 UTC, as rows and events store it. */
export const isoNow = ({ nowMs }: Pick<World, "nowMs">): string => new Date(nowMs()).toISOString();

const HEX = 16;
const GROUPS = [
  [0, 8],
  [8, 12],
  [12, 16],
  [16, 20],
  [20, 32],
] as const;

const uuidOf = (random: Uint8Array): string => {
  const bytes = Uint8Array.from(random);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // version 4
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80; // the variant of RFC 9562
  const hex = Array.from(bytes, (byte) => byte.toString(HEX).padStart(2, "0")).join("");
  return GROUPS.map(([from, to]) => hex.slice(from, to)).join("-");
};
