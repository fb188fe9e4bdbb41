import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { type StateLayout, stateLayout } from "../state/layout.ts";

/** The file of the networks whose nodes were not this cluster's own. */
export const noteOf = (layout: StateLayout): string => join(layout.cluster, "outside-nodes.json");

const entriesSchema = z.array(z.looseObject({ network: z.string() }));
const describedSchema = z.looseObject({
  chain: z.looseObject({ network: z.string(), development: z.boolean().default(false) }),
  networks: z.array(z.looseObject({ network: z.string() })).default([]),
});

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** The networks of the last start whose nodes were not this cluster's own: a version before kept no note of earlier ones. */
const outsideNow = (layout: StateLayout): readonly string[] => {
  if (!existsSync(layout.networks) || !existsSync(layout.description)) return [];
  const { chain, networks } = describedSchema.parse(read(layout.description));
  const own = new Set(networks.map(({ network }) => network));
  if (chain.development) own.add(chain.network);
  return entriesSchema
    .parse(read(layout.networks))
    .flatMap(({ network }) => (own.has(network) ? [] : [network]));
};

/** Whether the records of the last start are in the state folder's own PostgreSQL, whose password is in that folder. */
const keepsRecords = (layout: StateLayout): boolean => {
  if (!existsSync(layout.databaseUrl)) return true;
  const password = join(layout.postgres, "password");
  const { password: used } = new URL(readFileSync(layout.databaseUrl, "utf8").trim());
  return existsSync(password) && readFileSync(password, "utf8").trim() === used;
};

/** How the note names records that are in another PostgreSQL. */
export const OTHER_RECORDS = "the PostgreSQL of DATABASE_URL";

/** The networks of the whole life of a cluster whose nodes were not its own, and OTHER_RECORDS where its records were elsewhere. */
export const outsideEver = (layout: StateLayout): readonly string[] => {
  const file = noteOf(layout);
  if (existsSync(file)) return z.array(z.string()).parse(read(file));
  return [...outsideNow(layout), ...(keepsRecords(layout) ? [] : [OTHER_RECORDS])];
};

/**
 * Checks that a cluster's folders hold all that it knows and did. Signers that go back to an earlier moment have forgotten what they signed
 * since: that does no harm only where the records and every chain go back with them (INV-4).
 * @throws LaunchError where something of it is elsewhere
 */
export const requireWhole = (state: string): void => {
  const layout = stateLayout(state);
  const name = basename(state);
  const outside = outsideEver(layout);
  if (outside.length === 0) return;
  throw new LaunchError(
    `${name} has used what is not its own and does not go back with it: ${outside.join(", ")}`,
    "Snapshots are of clusters that have used local nodes and their own PostgreSQL alone: try it with another --name.",
  );
};
