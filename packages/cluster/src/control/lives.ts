import { LIVES_BYTES, type PartyIndex } from "@conclave/threshold";
import { sha224 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import type { SessionReport } from "./report.ts";

/** Bytes of a life. */
export const LIFE_BYTES = 16;

/**
 * The life of each signer of a session: a value that a signer draws at each start, and whenever its process may go on from a copy of its
 * memory. Nothing of it is stored, so no older store and no clock brings one back. Coordinators name the lives that signers showed them.
 */
export type Lives = ReadonlyMap<PartyIndex, Uint8Array>;

export const isLife = (life: Uint8Array): boolean => life.length === LIFE_BYTES;

/** The life that a refusal shows; undefined where a report shows none. */
export const shownLife = (report: SessionReport): Uint8Array | undefined => {
  const life = report.kind === "refusal" ? report.problem.details["life"] : undefined;
  return typeof life === "string" ? hexToBytes(life) : undefined;
};

/** Whether two lives are the same. */
export const isSameLife = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && isLife(other) && one.every((byte, at) => byte === other[at]);

/**
 * One value for the lives of a session's parties, which its run binds.
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
