import { listUnsure, ruleOut, type UnsureRequest } from "@conclave/platform/postgres";
import { LaunchError } from "@conclave/testbed/launch";
import type { RecordsPlace } from "../../operator/fault-records.ts";
import { withRecords } from "../../operator/records.ts";
import { printable } from "../../printable.ts";

const MOST = 1_000;

/** One unsure request as text: the records' side and the chain's. */
const sidesOf = ({ id, walletId, network, requestBody, since, why }: UnsureRequest): string =>
  [
    `${id} of ${walletId} on ${network}, since ${since}`,
    `  authorised: ${printable(JSON.stringify(requestBody))}`,
    `  the chain:  ${printable(why)}`,
  ].join("\n");

const REMEDY = `Each goes on by itself once a node shows what its wallet has sent since then: name one with that history in the networks file.
Where you have seen that nothing on the chain is it: conclave reconcile rule-out ID`;

/**
 * `conclave reconcile`: lists the requests that may have been carried out before the database was restored and for which
 * the chain does not show enough to decide, oldest first.
 */
export const reconcile = async (place: RecordsPlace, isJson: boolean): Promise<void> => {
  const all = await withRecords(place, (database) => listUnsure(database, MOST));
  if (isJson) process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  else if (all.length === 0)
    process.stdout.write("no request waits for its chain to tell whether it was carried out\n");
  else process.stdout.write(`${all.map(sidesOf).join("\n")}\n\n${REMEDY}\n`);
};

/**
 * `conclave reconcile rule-out`: states that requests were not carried out. The service then builds and pays them; if the
 * statement is wrong, a request is paid twice.
 * Rejects with a LaunchError if an id does not wait for this decision; the others are ruled out.
 */
export const ruleOutSent = async (place: RecordsPlace, ids: readonly string[]): Promise<void> => {
  const ruled = new Set(await withRecords(place, (database) => ruleOut(database, ids)));
  for (const id of ruled) process.stdout.write(`${id}: it is built and paid\n`);
  const others = ids.filter((id) => !ruled.has(id));
  if (others.length > 0) {
    throw new LaunchError(
      `${others.join(", ")}: nothing waits for that`,
      "`conclave reconcile` lists the requests that do.",
    );
  }
};
