import { FORGOTTEN_ID, type ForgottenRecord, RECORDS } from "../records/record.ts";

/**
 * The marks of forgetting; anything that they cover is refused for ever. Bindings of requests, session ids and
 * tombstones may be gone if their time to be forgotten is at or before `toMs`, and bindings of requests if the request
 * is dated at or before `requestedToMs`.
 */
export interface Forgotten {
  /** Unix milliseconds; 0 where nothing was ever forgotten */
  readonly toMs: number;
  /** Unix milliseconds; 0 unless an operator corrected the mark, or the store was an older copy */
  readonly requestedToMs: number;
  /** Unix milliseconds: promises up to then may be lost with an older store; 0 unless the store was one */
  readonly olderMs: number;
  /** how often the store turned out to be an older copy */
  readonly alarms: number;
  /** Unix milliseconds: the date by which an operator last corrected the mark; 0 for never */
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

/** Writes the mark in the oldest version that can hold it, so that an earlier version can read it. */
const recordOf = ({ olderMs, alarms, ...known }: Forgotten): ForgottenRecord => {
  if (alarms > 0) return { version: 3, ...known, olderMs, alarms };
  const { toMs, requestedToMs, mendedMs } = known;
  return mendedMs === 0 && requestedToMs === 0 ? { version: 1, toMs } : { version: 2, ...known };
};
