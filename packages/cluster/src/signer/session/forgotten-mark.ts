import { FORGOTTEN_ID, type ForgottenRecord, RECORDS } from "../records/record.ts";

/**
 * The marks of forgetting; the past behind them is refused for ever. Everything whose time to be forgotten is at or before `toMs` may be gone:
 * bindings of requests, session ids, tombstones. So may be the bindings of requests that are dated at or before `requestedToMs`, and promises of
 * that time.
 */
export interface Forgotten {
  /** Unix milliseconds; 0 where nothing was ever forgotten */
  readonly toMs: number;
  /** Unix milliseconds; 0 unless an operator mended the mark, or the store was an older copy */
  readonly requestedToMs: number;
  /** the date by which an operator mended the mark last, Unix milliseconds; 0 where nobody did */
  readonly mendedMs: number;
}

export const NOTHING_FORGOTTEN: Forgotten = { toMs: 0, requestedToMs: 0, mendedMs: 0 };

export const forgottenOf = ({ version, ...stored }: ForgottenRecord): Forgotten => ({
  ...NOTHING_FORGOTTEN,
  ...stored,
});

export const markOf = (forgotten: Forgotten) => ({
  record: RECORDS.forgotten.name(FORGOTTEN_ID),
  value: RECORDS.forgotten.write(
    forgotten.mendedMs === 0 && forgotten.requestedToMs === 0
      ? { version: 1, toMs: forgotten.toMs }
      : { version: 2, ...forgotten },
  ),
});
