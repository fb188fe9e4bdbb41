import { LIVES_BYTES, type PartyIndex } from "@conclave/threshold";
import { sha224 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import type { SessionReport } from "./report.ts";

/** Length of the value that names a life. */
export const LIFE_BYTES = 16;

/**
 * The life of each signer of a session: a value that a signer draws at each start, and whenever its process may
 * continue from a copy of its memory. It is not stored, so neither an old store nor a clock restores one. Coordinators
 * put the lives that signers showed them into commands.
 */
export type Lives = ReadonlyMap<PartyIndex, Uint8Array>;

export const isLife = (life: Uint8Array): boolean => life.length === LIFE_BYTES;

/** The life in a refusal's details; undefined where the report shows none. */
export const shownLife = (report: SessionReport): Uint8Array | undefined => {
  const life = report.kind === "refusal" ? report.problem.details["life"] : undefined;
  return typeof life === "string" ? hexToBytes(life) : undefined;
};

/** Whether two lives are the same. */
export const isSameLife = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && isLife(other) && one.every((byte, at) => byte === other[at]);

/**
 * A digest of the lives of a session's parties, which its run binds.
 *
 * @param parties ascending
 * @returns SHA-224 of their lives in this order; undefined when one of them has none
 */
export const livesDigest = (lives: Lives, parties: readonly PartyIndex[]): Uint8Array | undefined => {
  const all = parties.flatMap((party) => lives.get(party) ?? []);
  if (all.length !== parties.length || !all.every(isLife)) return undefined;
  const digest = sha224(concatBytes(...all));
  if (digest.length !== LIVES_BYTES) throw new Error(`the lives are bound in ${LIVES_BYTES} bytes`);
  return digest;
};
