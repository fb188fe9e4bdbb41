import { seededEntropy, testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { keyHolders } from "./control/roster-member.ts";
import type { HeldEpoch } from "./coordinator/certified.ts";
import { openKeyChangeCoordinator, stepKeyChangeCoordinator } from "./coordinator/key-change/key-change.ts";
import { chooseDealers } from "./coordinator/key-change/key-committee.ts";
import { KEY_CHANGE_ATTEMPT_MS } from "./coordinator/limits.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { isHandedOver, storedKey } from "./signer/records/key-records.ts";
import { TestCluster } from "./testing/cluster.ts";
import { certificatesOf, heldEpochsOf } from "./testing/drive-key-change.ts";
import { authoriseKeyChange, authoriseTransaction, KEY_ID, provisionedRecords } from "./testing/fixtures.ts";
import {
  infoAmong,
  type RosterShape,
  renewAuxiliaryOn,
  rosterAt,
  takeRoster,
} from "./testing/roster/changed-roster.ts";
import { askedAt, signAmong } from "./testing/roster/sign-among.ts";

const FIVE = [1, 2, 3, 4, 5];
const LIAR = 8;

/** A move or a refresh as `moveKeyOn`, by an operator to whom one signer does not name some epochs that wait there. */
const changeOn = (
  cluster: TestCluster,
  shape: RosterShape,
  seed: string,
  names: (epoch: number) => boolean,
  kind: "key-reshare" | "key-refresh" = "key-reshare",
) => {
  const roster = rosterAt(shape);
  const info = infoAmong(cluster, KEY_ID);
  const { epoch } = info;
  const held = new Map(
    [...heldEpochsOf(cluster, KEY_ID)]
      .filter(([party]) => roster.has(party))
      .map(([party, each]): [typeof party, HeldEpoch] => {
        const pending = party === LIAR ? each.pending.filter((one) => names(one.epoch)) : each.pending;
        return [party, { ...each, pending }];
      }),
  );
  const able = [...held].flatMap(([party, each]) => (each.epoch === epoch ? [party] : []));
  const { dealers, released } = chooseDealers(roster, info, able) ?? expect.fail("enough hold it");
  const past = (shape.past ?? []).map((parties) => rosterAt({ parties, threshold: 2 }));
  const authorisation = (nextEpoch: number) =>
    authoriseKeyChange({
      kind,
      keyId: KEY_ID,
      publicKey: bytesToHex(info.publicKey),
      epoch,
      nextEpoch,
      threshold: shape.threshold,
      parties: keyHolders(roster),
    });
  const config = {
    roster,
    past,
    ...(kind === "key-refresh" ? {} : { released }),
    keyId: KEY_ID,
    epoch,
    change: (nextEpoch: number) =>
      kind === "key-refresh"
        ? { kind, authorisation: authorisation(nextEpoch) }
        : { kind, authorisation: authorisation(nextEpoch), dealers, info: info.bytes },
    entropy: seededEntropy(`attack/${seed}`),
    attemptMs: KEY_CHANGE_ATTEMPT_MS,
    ...cluster.coordinatorClock,
  };
  const certificates = certificatesOf(cluster, KEY_ID);
  return cluster.drive({
    open: (live, nowMs) => openKeyChangeCoordinator(config, { live, held, certificates }, nowMs),
    step: stepKeyChangeCoordinator,
  });
};

/*
 * One new signer lies, the orchestrator and the operator do not. It has two attempts completed at all holders (2 and 3), names one of them, and so has
 * epoch 2 activated while epoch 3 waits, of which it can complete the receipts at any time. Once those that left are gone it does. From then on every
 * change of the key begins with the certificate of epoch 3, for which all holders stop to sign, and which needs handovers of signers that are gone.
 */
test("one new signer cannot have a key stand still for good by naming a second attempt once the signers that left are gone", () => {
  const records = provisionedRecords(5, 3);
  const cluster = new TestCluster({ seed: "stuck", size: 5, threshold: 3, engine: "tiny", records });
  const shape: RosterShape = {
    parties: [...FIVE, 6, 7, 8],
    leaving: [1, 2, 3],
    joined: [6, 7, 8],
    threshold: 3,
    past: [FIVE],
  };
  takeRoster(cluster, shape);
  const made = renewAuxiliaryOn(cluster, shape, 1);
  cluster.until(() => made.isClosed, 60_000);
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);

  // two attempts that it finishes, and never says so: the coordinator gives up
  cluster.speak = (signer, report) =>
    signer === LIAR && report.kind === "key-changed" ? { kind: "progress", stage: "it says so" } : report;
  const pendingAt = (signer: number) =>
    heldEpochsOf(cluster, KEY_ID)
      .get(testParty(signer))
      ?.pending.map(({ epoch }) => epoch) ?? [];
  const isAtAll = (epoch: number) => [4, 5, 6, 7, 8].every((signer) => pendingAt(signer).includes(epoch));
  for (const epoch of [2, 3]) {
    const attempt = changeOn(cluster, shape, `attempt-${epoch}`, () => false);
    cluster.until(() => attempt.isClosed, 10 * 60_000);
    expect(attempt.result).toBeUndefined();
    expect(isAtAll(epoch)).toBe(true);
    cluster.rest(1_000);
  }
  cluster.speak = (_, report) => report;

  // the third run finds that all hold epoch 2, and activates it
  const moved = changeOn(cluster, shape, "third", (epoch) => epoch === 2);
  cluster.until(() => moved.isClosed, 60_000);
  expect(moved.result).toMatchObject({ epoch: 2, lacking: [] });
  cluster.rest(5_000);

  // the change is done, and those that left are gone
  const done: RosterShape = { parties: [4, 5, 6, 7, 8], threshold: 3, past: [shape.parties, FIVE] };
  takeRoster(cluster, done);
  const again = renewAuxiliaryOn(cluster, done, 2);
  cluster.until(() => again.isClosed, 60_000);
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  const request = askedAt(cluster, authoriseTransaction(1));
  expect(signAmong(cluster, done, request, [4, 5, 6], 1).result).toBeDefined();

  // an operator refreshes the key, and later moves it again: neither ends
  const refreshed = changeOn(cluster, done, "refresh", () => true, "key-refresh");
  cluster.rest(60_000);
  refreshed.die();
  const reshared = changeOn(cluster, done, "reshare", () => true);
  cluster.rest(60_000);
  const later = askedAt(cluster, authoriseTransaction(2));
  const signed = signAmong(cluster, done, later, [4, 5, 6], 2);
  const key = storedKey(cluster.node(4).state ?? expect.fail("it lives"), KEY_ID);
  const stands = key !== undefined && isHandedOver(key);
  const ended = [refreshed, reshared].map(({ result }) => result !== undefined);
  expect({ isSigned: signed.result !== undefined, stands, ended }).toEqual({
    isSigned: true,
    stands: false,
    ended: [true, true],
  });
});
