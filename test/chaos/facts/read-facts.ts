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

/** Events are out within a second; after a fault the relay may wait for its next look. */
const QUIET_MS = 30_000;

/**
 * Reads everything that the checks judge, from a cluster all of whose processes run and whose load has ended. Its signers are
 * killed for a moment, because a sealed store has one reader, and started again.
 * @param past stores that were taken away from signers meanwhile
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
