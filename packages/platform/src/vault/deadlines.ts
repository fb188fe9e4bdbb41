import type { Table, TableChange } from "./table.ts";

/**
 * Entries that list records by the time from which they may be removed, so that due records are found without reading
 * records. The entry's name is its whole content: the time, then the record.
 */
const DEADLINES = "vault/1/deadline/";
/** Present once every record that has a deadline is listed; stores of older versions list none. */
const LISTED = "vault/1/deadlines-listed";
/** enough for every time of a clock, so that names sort by time */
const DIGITS = 16;
const NOTHING = new Uint8Array(0);

/** @param ms Unix milliseconds */
const timeName = (ms: number): string => DEADLINES + Math.trunc(ms).toString().padStart(DIGITS, "0");

/** The optional times of a record that is put, Unix milliseconds. */
export interface Deadline {
  /** when it may be removed */
  readonly forgetAtMs?: number | undefined;
  /** the previous value, whose entry is replaced */
  readonly insteadOfMs?: number | undefined;
}

/** @returns the table changes that list a record by its time */
export const deadlineEntries = (
  record: string,
  { forgetAtMs, insteadOfMs }: Deadline,
): readonly TableChange[] => [
  ...(insteadOfMs === undefined ? [] : [{ type: "del", key: `${timeName(insteadOfMs)}/${record}` } as const]),
  ...(forgetAtMs === undefined
    ? []
    : [{ type: "put", key: `${timeName(forgetAtMs)}/${record}`, value: NOTHING } as const]),
];

interface Due {
  readonly entry: string;
  readonly record: string;
}

/**
 * The records that are due by `untilMs`, the earliest first.
 *
 * @param after the last removed entry; entries up to it are skipped, because they are removed already
 */
export const dueIn = async (
  table: Table,
  untilMs: number,
  limit: number,
  after: string | undefined,
): Promise<readonly Due[]> => {
  const due: Due[] = [];
  const from = `${DEADLINES}${"0".repeat(DIGITS)}`;
  const range = { gte: after ?? from, lt: timeName(untilMs + 1), limit };
  for await (const [entry] of table.iterator(range)) {
    due.push({ entry, record: entry.slice(timeName(0).length + 1) });
  }
  return due;
};

export const isListed = async (table: Table): Promise<boolean> => (await table.get(LISTED)) !== undefined;

/** Records that every record with a deadline is listed; durable when it resolves, with all earlier writes. */
export const markListed = (table: Table): Promise<void> => table.put(LISTED, NOTHING, { sync: true });
