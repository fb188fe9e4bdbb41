import { listParked, type ParkedRequest, takeUpParked } from "@conclave/platform/postgres";
import { LaunchError } from "@conclave/testbed/launch";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { withRecords } from "../../operator/records.ts";
import { printable } from "../../printable.ts";
import { table } from "../../table.ts";

const MOST = 1_000;
const HEAD = ["id", "kind", "lane", "since", "failures", "reason"];

const rowOf = (parked: ParkedRequest): readonly string[] => [
  parked.id,
  parked.kind,
  parked.lane,
  parked.dateParked,
  String(parked.failures),
  printable(parked.reason),
];

/** `conclave parked`: lists requests that failed again and again for a reason nobody foresaw, the oldest first. */
export const parked = async (place: RecordsPlace, isJson: boolean): Promise<void> => {
  const all = await withRecords(place, (database) => listParked(database, MOST));
  if (isJson) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  else if (all.length === 0) process.stdout.write("no request is parked\n");
  else process.stdout.write(`${table(HEAD, all.map(rowOf))}\n`);
};

/**
 * `conclave parked take-up`: has orchestrators try parked requests again at once.
 * @param ids empty: all parked requests
 * Rejects with a LaunchError if an id is not parked.
 */
export const takeUp = async (place: RecordsPlace, ids: readonly string[]): Promise<void> => {
  const count = await withRecords(place, (database) =>
    takeUpParked(database, ids.length === 0 ? { parkedForMs: 0 } : { ids }),
  );
  if (count < ids.length) {
    throw new LaunchError(
      `${ids.length - count} of the ${ids.length} requests are not parked`,
      "`conclave parked` lists those that are.",
    );
  }
  process.stdout.write(`done: ${count} ${count === 1 ? "request is" : "requests are"} due again\n`);
};
