import { Secret } from "@conclave/threshold";
import { sealValue, unsealValue } from "../sealing.ts";
import { SUM_WORDS } from "./entry-tags.ts";

/** The entry that vouches for all others. */
export const ROOT = "vault/2/root";
const COUNTER_BYTES = 6;
const WORD_BYTES = 4;
const ROOT_BYTES = COUNTER_BYTES + SUM_WORDS * WORD_BYTES;

/** The content of the root entry. */
export interface Root {
  /** number of writes so far */
  readonly counter: number;
  /** sum of the units of all entries */
  readonly sum: Uint32Array;
}

export const sealRoot = (master: Secret<Uint8Array>, { counter, sum }: Root): Uint8Array => {
  const bytes = Buffer.alloc(ROOT_BYTES);
  bytes.writeUIntBE(counter, 0, COUNTER_BYTES);
  sum.forEach((word, at) => {
    bytes.writeUInt32BE(word, COUNTER_BYTES + at * WORD_BYTES);
  });
  return sealValue(master, ROOT, new Secret(new Uint8Array(bytes)));
};

/** @returns undefined if this store's key did not seal it */
export const unsealRoot = (master: Secret<Uint8Array>, sealed: Uint8Array): Root | undefined => {
  const opened = unsealValue(master, ROOT, sealed);
  if (opened === undefined || opened.reveal().length !== ROOT_BYTES) return undefined;
  const bytes = Buffer.from(opened.reveal());
  const words = Array.from({ length: SUM_WORDS }, (_, at) =>
    bytes.readUInt32BE(COUNTER_BYTES + at * WORD_BYTES),
  );
  return { counter: bytes.readUIntBE(0, COUNTER_BYTES), sum: Uint32Array.from(words) };
};
