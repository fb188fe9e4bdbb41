import { testParty } from "@conclave/threshold/testing";
import { expect, test } from "vitest";
import { isHandedOver, storedKey } from "./signer/records/key-records.ts";
import { heldEpochsOf } from "./testing/drive-key-change.ts";
import { KEY_ID } from "./testing/fixtures.ts";
import { moveKeyOn, type RosterShape } from "./testing/roster/changed-roster.ts";
import { MemberChange } from "./testing/roster/member-change.ts";

const FIVE = [1, 2, 3, 4, 5];
const LIAR = 8;

/** A move or a refresh by an operator, to which the lying signer names only some of its pending epochs. */
const changeOn = (
  { cluster, shape }: MemberChange,
  seed: string,
  names: (epoch: number) => boolean,
  kind: "key-reshare" | "key-refresh" = "key-reshare",
) =>
  moveKeyOn(cluster, shape, KEY_ID, seed, {
    kind,
    heard: (party, held) => ({
      ...held,
      pending: party === LIAR ? held.pending.filter(({ epoch }) => names(epoch)) : held.pending,
    }),
  });

/*
 * One new signer lies; the orchestrator and the operator do not. The liar lets two attempts (epochs 2 and 3)
 * finish at all holders, and names epoch 2 alone. So the operator activates epoch 2, while epoch 3 waits,
 * whose receipts the liar can complete at any time. It completes them once the signers that leave are gone.
 * From then on every change of the key begins with the certificate of epoch 3: the holders go over to it from
 * epoch 2, and wait for no signer that is gone.
 */
test("one new signer cannot have a key stand still for good by naming a second attempt once the signers that left are gone", () => {
  const change = new MemberChange("stuck");
  const { cluster } = change;
  const moving: RosterShape = {
    parties: [...FIVE, 6, 7, 8],
    leaving: [1, 2, 3],
    joined: [6, 7, 8],
    threshold: 3,
    past: [FIVE],
  };
  change.begin(moving);

  // the liar finishes two attempts without reporting it, so the coordinator gives each of them up
  cluster.speak = (signer, report) =>
    signer === LIAR && report.kind === "key-changed" ? { kind: "progress", stage: "it says so" } : report;
  const pendingAt = (signer: number) =>
    heldEpochsOf(cluster, KEY_ID)
      .get(testParty(signer))
      ?.pending.map(({ epoch }) => epoch) ?? [];
  const isAtAll = (epoch: number) => [4, 5, 6, 7, 8].every((signer) => pendingAt(signer).includes(epoch));
  for (const epoch of [2, 3]) {
    const attempt = changeOn(change, `attempt-${epoch}`, () => false);
    cluster.until(() => attempt.isClosed, 10 * 60_000);
    expect(attempt.result).toBeUndefined();
    expect(isAtAll(epoch)).toBe(true);
    cluster.rest(1_000);
  }
  cluster.speak = (_, report) => report;

  // the third run finds that all hold epoch 2, and activates it
  const moved = changeOn(change, "third", (epoch) => epoch === 2);
  cluster.until(() => moved.isClosed, 60_000);
  expect(moved.result).toMatchObject({ epoch: 2, lacking: [] });
  cluster.rest(5_000);

  // the change is done, and the leaving signers are gone
  change.begin({ parties: [4, 5, 6, 7, 8], threshold: 3, past: [moving.parties, FIVE] }, 2);
  expect(change.isSigned(change.request(), [4, 5, 6], 1)).toBe(true);

  // an operator refreshes the key, and later moves it again: both succeed
  const refreshed = changeOn(change, "refresh", () => true, "key-refresh");
  cluster.rest(60_000);
  refreshed.die();
  const reshared = changeOn(change, "reshare", () => true);
  cluster.rest(60_000);
  const isSigned = change.isSigned(change.request(), [4, 5, 6], 2);
  const key = storedKey(cluster.node(4).state ?? expect.fail("it lives"), KEY_ID);
  const stands = key !== undefined && isHandedOver(key);
  const ended = [refreshed, reshared].map(({ result }) => result !== undefined);
  expect({ isSigned, stands, ended }).toEqual({
    isSigned: true,
    stands: false,
    ended: [true, true],
  });
});
