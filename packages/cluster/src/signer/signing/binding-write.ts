import type { Secret } from "@conclave/threshold";
import type { StoredRecord } from "../records/record.ts";

/** A write of a record that binds a request. */
export interface BindingWrite extends StoredRecord {
  readonly forgetAtMs: number;
  /** the previous time from which the record could be forgotten */
  readonly insteadOfMs?: number;
}

/** @param known the record that it replaces; undefined when there is none */
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
