import type { Secret } from "@conclave/threshold";
import type { SignerEffect } from "../effect.ts";
import type { ReadRecord } from "./history.ts";
import { RECORDS } from "./record.ts";
import { RecordCache } from "./record-cache.ts";

export type RecordEffect = Extract<SignerEffect, { readonly kind: "store" | "erase" | "batch" }>;

/** Keys whose records, with their shares, are cached after they were read. */
const KEYS_CACHED = 256;

const isKey = (record: string): boolean => RECORDS.key.idOf(record) !== undefined;

interface Write {
  readonly by: RecordEffect;
  /** undefined when it is erased */
  readonly value: Secret<Uint8Array> | undefined;
}

const writesOf = (by: RecordEffect): readonly (readonly [string, Write])[] => {
  switch (by.kind) {
    case "store":
      return [[by.record, { by, value: by.value }]];
    case "erase":
      return [[by.record, { by, value: undefined }]];
    case "batch":
      return [
        ...by.erases.map((record) => [record, { by, value: undefined }] as const),
        ...by.puts.map(({ record, value }) => [record, { by, value }] as const),
      ];
  }
};

/**
 * Writes that a signer decided on and that its store does not have yet. The state machine looks records up at once,
 * while its effects wait for one another; without these writes it would miss what it has just bound or spent (INV-2,
 * INV-4).
 */
export class UnwrittenRecords {
  readonly #stored: RecordCache;
  readonly #writes = new Map<string, Write>();

  /** @param stored the records of the store itself */
  constructor(stored: ReadRecord) {
    this.#stored = new RecordCache(stored, isKey, KEYS_CACHED);
  }

  /** number of unwritten records, limited by the number of effects that wait */
  get size(): number {
    return this.#writes.size;
  }

  readonly read: ReadRecord = (record) => {
    const write = this.#writes.get(record);
    return write === undefined ? this.#stored.read(record) : write.value;
  };

  /** Reads only what the store already has: nothing else may be shown outside (INV-2). */
  readonly readWritten: ReadRecord = (record) => this.#stored.read(record);

  /** Adds the writes of an effect that waits to be carried out. */
  queued(effect: RecordEffect): void {
    for (const [record, write] of writesOf(effect)) this.#writes.set(record, write);
  }

  /** Removes the writes of an effect once the store has them. */
  written(effect: RecordEffect): void {
    for (const [record] of writesOf(effect)) {
      this.#stored.changed(record);
      if (this.#writes.get(record)?.by === effect) this.#writes.delete(record);
    }
  }
}
