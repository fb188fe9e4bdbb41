import { FORGOTTEN_ID, type ForgottenRecord, RECORDS } from "../records/record.ts";

/**
 * The marks of forgetting; the past behind them is refused for ever. Everything whose time to be forgotten is at or before `toMs` may be gone:
 * bindings of requests, session ids, tombstones. So may be the bindings of requests that are dated at or before `requestedToMs`.
 */
export interface Forgotten {
  /** Unix milliseconds; 0 where nothing was ever forgotten */
  readonly toMs: number;
  /** Unix milliseconds; 0 unless an operator mended the mark, or the store was an older copy */
  readonly requestedToMs: number;
  /** until when promises may be lost with an older store, Unix milliseconds; 0 unless it was one */
  readonly olderMs: number;
  /** how often the store turned out to be an older copy */
  readonly alarms: number;
  /** the date by which an operator mended the mark last, Unix milliseconds; 0 where nobody did */
  readonly mendedMs: number;
}

export const NOTHING_FORGOTTEN: Forgotten = {
  toMs: 0,
  requestedToMs: 0,
  olderMs: 0,
  alarms: 0,
  mendedMs: 0,
};

export const forgottenOf = ({ version, ...stored }: ForgottenRecord): Forgotten => ({
  ...NOTHING_FORGOTTEN,
  ...stored,
});

export const markOf = (forgotten: Forgotten) => ({
  record: RECORDS.forgotten.name(FORGOTTEN_ID),
  value: RECORDS.forgotten.write(recordOf(forgotten)),
});

/** A version before reads the mark as long as it holds nothing that one does not know. */
const recordOf = ({ olderMs, alarms, ...known }: Forgotten): ForgottenRecord => {
  if (alarms > 0) return { version: 3, ...known, olderMs, alarms };
  const { toMs, requestedToMs, mendedMs } = known;
  return mendedMs === 0 && requestedToMs === 0 ? { version: 1, toMs } : { version: 2, ...known };
};
