import { readFileSync } from "node:fs";
import { openDatabase } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";
import { readEvents } from "../../integration/event-stream.ts";
import type { LoadHistory } from "../load/history.ts";
import { contentText, resourceIdIn } from "../load/webhook-ear.ts";
import { readCaught } from "./caught-facts.ts";
import { readChains } from "./chain-facts.ts";
import type { ClusterFacts } from "./cluster-facts.ts";
import { dumpTables, readDatabase, untilQuiet } from "./database-facts.ts";
import { readOldCopies } from "./old-copy-facts.ts";
import { findLeaks } from "./secret-facts.ts";
import {
  type PastStore,
  readHoldings,
  readKeys,
  readPastStores,
  readStores,
  signerFacts,
  storeSecrets,
} from "./signer-facts.ts";
import { readAsStranger } from "./stranger-facts.ts";

/** Events are published within a second; after a fault the relay may wait for its next poll. */
const QUIET_MS = 30_000;

/**
 * Reads everything that the checks judge, after the load, from a cluster whose processes all run. It kills each signer and
 * starts it again, because only one process can open a sealed store.
 * @param past former stores that faults took away from signers
 */
export const readFacts = async (
  cluster: Cluster,
  history: LoadHistory,
  past: readonly PastStore[] = [],
): Promise<ClusterFacts> => {
  const url = readFileSync(cluster.layout.databaseUrl, "utf8").trim();
  const database = openDatabase({ url, name: "conclave-checker" });
  try {
    await untilQuiet(database, QUIET_MS);
    const read = await readDatabase(cluster, database);
    const chain = await readChains(cluster, history, read.rows);
    const published = (await readEvents(cluster.layout)).map(({ id, kind, orgId, date, data }) => {
      return { id, kind, orgId, date, resourceId: resourceIdIn(data), content: contentText(data) };
    });
    const strangers = await readAsStranger(cluster, history);
    const holdings = await readHoldings(cluster);
    const stores = await readStores(cluster);
    const taken = await readPastStores(cluster, past);
    const { keys, secrets } = readKeys(stores, cluster.description.threshold);
    const dump = await dumpTables(database);
    const leaks = await findLeaks(cluster, dump, {
      keys: secrets,
      secrets: storeSecrets([...stores, ...taken]),
    });
    const signers = signerFacts(stores, holdings, taken);
    const learnt = { caught: readCaught(cluster), oldCopies: readOldCopies(cluster) };
    return { database: read, published, chain, signers, ...learnt, keys, leaks, strangers };
  } finally {
    await database.close();
  }
};
