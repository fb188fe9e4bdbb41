import { createHash } from "node:crypto";
import type { SigningReader, TransactionReading } from "@conclave/custody";

/** One transaction that is signed in parts, and one beside it. A reading holds at most SIGNABLES_MAX digests. */
const READINGS_MAX = 2;
/** Smaller ones are quickly read, are many, and would take the places of large ones. */
const KEPT_FROM_BYTES = 16 * 1024;

/**
 * A reader that keeps its last readings of large transactions: one that is signed in parts is asked for once a part, and reading half a MiB
 * takes the main thread up to half a second. A kept reading is given for the very same bytes, network and act
 * alone, and a refusal is not kept: so nobody is given a reading that the reader itself would not give (INV-3).
 * @param reader pure: the same question always has the same answer
 */
export const keepingReadings = (reader: SigningReader): SigningReader => {
  const kept = new Map<string, TransactionReading>();
  return {
    ...reader,
    read: (network, unsigned, act) => {
      if (unsigned.length < KEPT_FROM_BYTES) return reader.read(network, unsigned, act);
      const question = sha256(JSON.stringify([network, act, sha256(unsigned)]));
      const earlier = kept.get(question);
      if (earlier !== undefined) return { ok: true, value: earlier };
      const read = reader.read(network, unsigned, act);
      if (read.ok) keep(kept, question, read.value);
      return read;
    },
  };
};

/** The oldest gives way. */
const keep = (kept: Map<string, TransactionReading>, question: string, reading: TransactionReading): void => {
  kept.set(question, reading);
  for (const oldest of kept.keys()) {
    if (kept.size <= READINGS_MAX) return;
    kept.delete(oldest);
  }
};

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
