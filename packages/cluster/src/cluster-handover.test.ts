import type { SignedAuthorisation } from "@conclave/custody";
import { seededEntropy, testParty } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { withHandovers } from "./control/epoch-certificate.ts";
import type { EpochHandover } from "./control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { stockOn } from "./testing/drive.ts";
import { KEY_ID, transactionOf } from "./testing/fixtures.ts";
import { holdsShare, infoAmong, takeRoster } from "./testing/roster/changed-roster.ts";
import { MemberChange } from "./testing/roster/member-change.ts";

const FIVE = [1, 2, 3, 4, 5];

let change: MemberChange;
beforeEach(({ task }) => {
  change = new MemberChange(task.name);
});

/** Begins to sign at only some signers of a quorum, with a presignature of the pool: each binds the request at once. */
const bindAt = (
  signers: readonly number[],
  quorum: readonly number[],
  presignature: string,
  authorisation: SignedAuthorisation,
  nonce: number,
): void => {
  const session = seededEntropy(`bind/${change.cluster.world.nowMs()}`)(32);
  for (const signer of signers) {
    change.cluster.call(signer, (call) => ({
      kind: "signing",
      call,
      session,
      expiresAtMs: change.cluster.world.nowMs() + 5_000,
      quorum,
      keyId: KEY_ID,
      authorisation,
      unsigned: transactionOf(nonce),
      presignatures: [presignature],
      dead: undefined,
    }));
  }
  change.cluster.rest(10_000);
};

describe("INV-4 an orchestrator that keeps a certificate from some signers", () => {
  const replacing = { parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 };

  test("has no request signed by the holders of before and by the new ones", () => {
    change.begin(replacing);
    const certificate = change.withheld();
    const twice = change.request();
    const few = withHandovers(certificate, change.handoversOf(certificate, 4, 5));
    for (const signer of [5, 6, 7]) expect(change.show(signer, few)).toMatchObject({ isWaiting: true });
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    expect(change.isSigned(twice, [5, 6, 7], 2)).toBe(false);
    const enough = withHandovers(certificate, change.handoversOf(certificate, 3, 4, 5));
    for (const signer of [5, 6, 7]) expect(change.show(signer, enough)).toMatchObject({ epoch: 2 });
    expect(change.isSigned(twice, [5, 6, 7], 2)).toBe(false);
    expect(change.isSigned(change.request(), [1, 2, 3], 3)).toBe(false);
    expect(change.isSigned(change.request(), [5, 6, 7], 4)).toBe(true);
  });

  test("finds that a signer keeps its word over a restart", () => {
    change.begin(replacing);
    const certificate = change.withheld();
    change.handoversOf(certificate, 3, 4, 5);
    change.cluster.kill(3, 4, 5);
    change.cluster.restart(3, 4, 5);
    change.cluster.rest(1_000);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(false);
  });

  test.each([
    ["a newcomer", 6],
    ["a signer that stays", 3],
  ])(
    "and loses %s before enough have handed over: the key is moved on once that one is put out (INV-5)",
    (_, lost) => {
      change.begin(replacing);
      const certificate = change.withheld();
      change.handoversOf(certificate, 4, 5);
      change.cluster.kill(lost);
      const without = (parties: readonly number[]) => parties.filter((party) => party !== lost);
      const next = { ...replacing, parties: without(replacing.parties), joined: without(replacing.joined) };
      change.begin({ ...next, past: [replacing.parties, FIVE] }, 2);
      change.move("2");
      expect(change.isSigned(change.request(), [4, 5, 7], 1)).toBe(true);
    },
  );

  test("and shows it to the holders of before alone stops the key no longer than until it goes on", () => {
    change.begin(replacing);
    const certificate = change.withheld();
    change.handoversOf(certificate, 1, 2, 3, 4, 5);
    expect(change.isSigned(change.request(), [3, 4, 5], 1)).toBe(false);
    change.move();
    expect(change.isSigned(change.request(), [3, 4, 7], 1)).toBe(true);
  });

  test("has no share given up before the new holders may sign, and a signer that handed the key over keeps the certificate", () => {
    change.begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
    const certificate = change.withheld();
    for (const signer of [1, 2, 5])
      expect(change.show(signer, certificate)).toMatchObject({ isWaiting: true });
    expect([1, 2, 5].map((signer) => holdsShare(change.cluster, signer, KEY_ID))).toEqual([true, true, true]);
    // no other signer has the certificate, and it cannot be made again, as a receipt is lost
    change.cluster.kill(8);
    change.cluster.node(testParty(8)).records.clear();
    change.cluster.restart(8);
    change.move();
    change.cluster.rest(1_000);
    expect([1, 2, 3].map((signer) => holdsShare(change.cluster, signer, KEY_ID))).toEqual([
      false,
      false,
      false,
    ]);
    expect(change.isSigned(change.request(), [5, 6, 7], 1)).toBe(true);
  });

  test("gains nothing by a handover of another epoch, of no holder of before, or that is forged", () => {
    change.begin(replacing);
    const certificate = change.withheld();
    const [five = expect.fail(), ...others] = change.handoversOf(certificate, 5, 3, 4).values();
    const mapOf = (...given: readonly EpochHandover[]) => new Map(given.map((each) => [each.signer, each]));
    const forged = { ...five, sinceMs: 0 };
    expect(change.ask(7, withHandovers(certificate, mapOf(...others, forged)))).toMatchObject({
      kind: "refusal",
      problem: { code: "EpochCertificateInvalid" },
    });
    const six = { ...five, signer: testParty(6) };
    expect(change.ask(7, withHandovers(certificate, mapOf(...others, six)))).toMatchObject({
      kind: "refusal",
      problem: { code: "EpochCertificateInvalid" },
    });
  });
});

describe.each([
  [
    "too few stay",
    { parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 },
    [5, 6, 7],
  ],
  ["fewer sign together", { parties: FIVE, leaving: [1, 2], threshold: 2 }, [4, 5]],
] as const)("INV-4 where %s after a move", (_, next, quorum) => {
  test("no request is signed that the holders of before signed", () => {
    change.begin(next);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.move();
    const again = change.sign(twice, quorum, 2);
    expect(again.result).toBeUndefined();
    expect(again.problem).toMatchObject({ code: "RequestPrecedesHolders" });
  });

  test("the transaction that the holders of before bound a request to is signed, and no other one", () => {
    change.begin(next);
    const begun = change.request();
    expect(change.isSigned(begun, [1, 2, 3], 1)).toBe(true);
    change.move();
    expect(change.isSigned(begun, quorum, 2)).toBe(false);
    expect(change.isSigned(begun, quorum, 1)).toBe(true);
  });

  test("a request that was under way and that nobody signed is signed", () => {
    change.begin(next);
    const [signed, waiting] = [change.request(), change.request()];
    expect(change.isSigned(signed, [1, 2, 3], 1)).toBe(true);
    change.move();
    change.cluster.rest(1_000);
    expect(change.isSigned(waiting, quorum, 2)).toBe(true);
  });

  test("a request of before a restart of the holders of before is refused: they remember none", () => {
    change.begin(next);
    const old = change.request();
    change.cluster.rest(1_000);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(true);
    takeRoster(change.cluster, change.shape);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    change.move();
    expect(change.sign(old, quorum, 2).problem).toMatchObject({ code: "RequestPrecedesHolders" });
    expect(change.isSigned(change.request(), quorum, 3)).toBe(true);
  });
});

test("INV-4 where fewer sign together after two changes, no request is signed that was signed before both", () => {
  change.begin({ parties: [1, 2, 3, 4], threshold: 3, past: [FIVE] });
  const twice = change.request();
  expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
  change.move();
  takeRoster(change.cluster, { parties: [1, 2, 3, 4], leaving: [1], threshold: 2, past: [FIVE] });
  change.shape = { parties: [1, 2, 3, 4], leaving: [1], threshold: 2, past: [FIVE] };
  change.move("2");
  expect(infoAmong(change.cluster, KEY_ID).threshold).toBe(2);
  expect(change.sign(twice, [3, 4], 2).problem).toMatchObject({ code: "RequestPrecedesHolders" });
  change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  expect(change.isSigned(change.request(), [3, 4], 3)).toBe(true);
});

describe("INV-4 an orchestrator that lies", () => {
  test("a transaction that some holders bound, and no quorum of before could sign, is not signed beside the one that was", () => {
    change.begin({ parties: FIVE, leaving: [1, 2], threshold: 2 });
    const [presignature = expect.fail("it is made")] = stockOn(change.cluster, [[3, 4, 5]]);
    const twice = change.request();
    bindAt([4, 5], [3, 4, 5], presignature.id, twice, 2);
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    change.move();
    expect(infoAmong(change.cluster, KEY_ID)).toMatchObject({ threshold: 2, parties: [3, 4, 5] });
    expect(change.isSigned(twice, [4, 5], 2)).toBe(false);
  });

  test("a newcomer that came by a second reshare refuses what the holders of before the first one signed", () => {
    change.begin({ parties: [...FIVE, 6], leaving: [1], joined: [6], threshold: 3 });
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    const certificate = change.withheld();
    const enough = withHandovers(certificate, change.handoversOf(certificate, 2, 3, 4, 5));
    for (const signer of [1, 2, 3, 4, 5]) change.show(signer, enough);
    expect(infoAmong(change.cluster, KEY_ID)).toMatchObject({ epoch: 2, parties: [2, 3, 4, 5, 6] });
    change.move("again");
    expect(infoAmong(change.cluster, KEY_ID)).toMatchObject({ epoch: 3, parties: [2, 3, 4, 5, 6] });
    expect(change.isSigned(twice, [4, 5, 6], 2)).toBe(false);
  });
});
