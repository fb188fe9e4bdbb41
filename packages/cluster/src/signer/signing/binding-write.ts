import type { Secret } from "@conclave/threshold";
import type { StoredRecord } from "../records/record.ts";

/** A write of what a request is bound to. */
export interface BindingWrite extends StoredRecord {
  readonly forgetAtMs: number;
  /** when it would have been forgotten so far */
  readonly insteadOfMs?: number;
}

/** @param known the record that it takes the place of; undefined when there is none */
export const bindingWrite = (
  record: string,
  value: Secret<Uint8Array>,
  forgetAtMs: number,
  known: Pick<BindingWrite, "forgetAtMs"> | undefined,
): BindingWrite => ({
  record,
  value,
  forgetAtMs,
  ...(known === undefined || known.forgetAtMs === forgetAtMs ? {} : { insteadOfMs: known.forgetAtMs }),
});
