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
 * INV-1  each store has only its own signer's shares, any t of them give one key, no whole key is in a log or in the database.
 *        That no process has t shares in memory follows from the messages: threshold/src/keygen,
 *        test/integration/restart.test.ts.
 * INV-2  each signature from a presignature has tombstones at t signers, each presignature one digest at all signers, no
 *        tombstone lies beside its secret, and no nonce signed two messages. That a tombstone is durable before a partial
 *        signature leaves is tested within a signer: cluster/src/signer/presigning (a crash after every effect). A partial
 *        signature that led to no signature is not seen. Presignatures spent by a signer's former store count too, and the
 *        signer's log must report that its current store is old.
 * INV-3  landed transactions are what was asked, read by the chain's own library. That a signer refuses what it cannot read
 *        needs a lying orchestrator: test/integration/shared/lying-orchestrator.ts.
 * INV-4  rows, hashes, places of accounts, balances of receivers and wallets. Against a transaction that was signed and never
 *        sent: cluster/src/signer/signing/request-binding.ts and its tests.
 * INV-5  ends of requests, the queue, answers, and that all signers hold the same keys.
 * INV-6  the events' table, the bus and the webhook's receiver agree with each other and with what was asked and done.
 * INV-7  the table of faults. That evidence convinces anybody: test/integration/liars.test.ts.
 * INV-8  authorisations and approvals on record compared with landed transactions. That signers check them: also
 *        lying-orchestrator.ts.
 * INV-9  the answers to a load of valid requests. The gateway's tests cover bad input.
 * INV-10 logs and a dump of all tables. The disks of a stopped cluster: test/integration/restart.test.ts. The wire:
 *        packages/platform/src/grpc.
 * INV-11 ids of the load used by another organisation's administrator; the organisation of rows and events. Every operation:
 *        packages/gateway, test/integration/shared/strangers.ts.
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

/** Judges the facts by every invariant. @param threshold t of the cluster */
export const judgeFacts = (judged: Judged, threshold: number): readonly Finding[] =>
  [...CHECKS, checkBuried(threshold)].flatMap((check) => check(judged));

/**
 * Reads a cluster after all faults are healed and the load is drained, and judges it.
 * @param past former stores that faults took away from signers
 * @returns all violations; empty when every invariant holds
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
