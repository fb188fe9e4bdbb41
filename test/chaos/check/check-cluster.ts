import type { Cluster } from "@conclave/testbed";
import { readFacts } from "../facts/read-facts.ts";
import type { PastStore } from "../facts/signer-facts.ts";
import type { LoadHistory } from "../load/history.ts";
import { checkAnswers, checkAuthorisations, checkOrganisations, checkSecrets } from "./authority.ts";
import {
  checkAccountCounts,
  checkLanded,
  checkReceivers,
  checkUnlanded,
  checkWalletBalances,
} from "./chain.ts";
import {
  checkBroadcasts,
  checkDeliveries,
  checkEvents,
  checkPublished,
  checkPublishedOrder,
  checkShownTransfers,
} from "./events.ts";
import { type Check, type Expectations, type Finding, type Judged, QUIET_RUN } from "./finding.ts";
import { checkEnds, checkLeftovers, checkRows, checkServed } from "./requests.ts";
import {
  checkBuried,
  checkFaults,
  checkHoldings,
  checkNonces,
  checkOldCopies,
  checkShares,
  checkStores,
  checkTombstones,
} from "./signers.ts";

/*
 * The checks of each invariant from outside, and their limits:
 *
 * INV-1  each store has its own signer's shares alone, any t of them give one key, no whole key is in a log or in the database.
 *        That no process has t shares in memory is in the messages: threshold/src/keygen, test/integration/restart.test.ts.
 * INV-2  tombstones at t signers for each signature that a presignature made, one digest for each at all signers, no secret beside a tombstone,
 *        no nonce over two messages. That a tombstone is durable before a partial signature leaves is an order within a signer:
 *        cluster/src/signer/presigning (a crash after every effect). A partial signature that led to no signature is not seen.
 *        The presignatures that a signer spent by a store that was taken away from it count, and its log has to
 *        say that the one it has is old.
 * INV-3  what landed is what was asked, read by the chain's own library. That a signer refuses what it does not
 * understand needs
 *        a lying orchestrator: test/integration/shared/lying-orchestrator.ts.
 * INV-4  rows, hashes, places of accounts, balances of receivers and wallets. A transaction that was signed and never sent is
 *        held back by cluster/src/signer/signing/request-binding.ts and its tests.
 * INV-5  ends, queue, answers, and that all signers hold all keys alike.
 * INV-6  the events' table, the bus, the webhook's receiver, and that all three tell the same, which is what was asked and done.
 * INV-7  the table of faults. That evidence convinces anybody: test/integration/liars.test.ts.
 * INV-8  authorisations and approvals on record against what landed. That signers look at them: lying-orchestrator.ts too.
 * INV-9  the answers to a load that sends nothing bad. Bad input is in the gateway's tests.
 * INV-10 logs and a dump of all tables. The disks as well, of a cluster that is stopped:
 * test/integration/restart.test.ts. The wire is checked in packages/platform/src/grpc. INV-11 ids of the load,
 * used by another organisation's administrator; the organisation of rows and events. Every
 *        operation: packages/gateway, test/integration/shared/strangers.ts.
 */

const CHECKS: readonly Check[] = [
  checkShares,
  checkTombstones,
  checkNonces,
  checkOldCopies,
  checkLanded,
  checkUnlanded,
  checkReceivers,
  checkWalletBalances,
  checkAccountCounts,
  checkRows,
  checkEnds,
  checkLeftovers,
  checkServed,
  checkHoldings,
  checkStores,
  checkEvents,
  checkShownTransfers,
  checkBroadcasts,
  checkPublished,
  checkPublishedOrder,
  checkDeliveries,
  checkFaults,
  checkAuthorisations,
  checkAnswers,
  checkSecrets,
  checkOrganisations,
];

/** Judges what was read by every invariant. @param threshold t of the cluster */
export const judgeFacts = (judged: Judged, threshold: number): readonly Finding[] =>
  [...CHECKS, checkBuried(threshold)].flatMap((check) => check(judged));

/**
 * Reads a cluster whose faults are healed and whose load is drained, and judges it.
 * @param past stores that were taken away from signers meanwhile
 * @returns all that is wrong; empty when every invariant holds
 */
export const checkCluster = async (
  cluster: Cluster,
  history: LoadHistory,
  expected: Partial<Expectations> = {},
  past: readonly PastStore[] = [],
): Promise<readonly Finding[]> => {
  const facts = await readFacts(cluster, history, past);
  return judgeFacts(
    { facts, history, expected: { ...QUIET_RUN, ...expected } },
    cluster.description.threshold,
  );
};
