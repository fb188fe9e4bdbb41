import type { SignedAuthorisation } from "@conclave/custody";
import { testParty } from "@conclave/threshold/testing";
import { hexToBytes } from "@noble/hashes/utils.js";
import { beforeEach, describe, expect, test } from "vitest";
import { certify, withHandovers } from "./control/epoch-certificate.ts";
import { type EpochHandover, readHandover } from "./control/epoch-handover.ts";
import { keyHolders } from "./control/roster-member.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { TestCluster } from "./testing/cluster.ts";
import { heldEpochsOf } from "./testing/drive-key-change.ts";
import { authoriseTransaction, KEY_ID, provisionedRecords } from "./testing/fixtures.ts";
import {
  holdsShare,
  infoAmong,
  moveKeyOn,
  type RosterShape,
  renewAuxiliaryOn,
  rosterAt,
  takeRoster,
} from "./testing/roster/changed-roster.ts";
import { askedAt, signAmong } from "./testing/roster/sign-among.ts";

const FIVE = [1, 2, 3, 4, 5];

let cluster: TestCluster;
let shape: RosterShape;
/** All signers of 3 of 5 start with another roster, and have auxiliary information of their own. */
const begin = (next: RosterShape): void => {
  shape = next;
  takeRoster(cluster, shape);
  const made = renewAuxiliaryOn(cluster, shape, 1);
  cluster.until(() => made.isClosed, 60_000);
};

beforeEach(({ task }) => {
  const records = provisionedRecords(5, 3);
  cluster = new TestCluster({ seed: task.name, size: 5, threshold: 3, engine: "tiny", records });
});

let asked = 0;
/** A request of now. */
const request = (): SignedAuthorisation => {
  asked += 1;
  return askedAt(cluster, authoriseTransaction(asked));
};

const sign = (authorisation: SignedAuthorisation, quorum: readonly number[], nonce: number) =>
  signAmong(cluster, shape, authorisation, quorum, nonce);

const isSigned = (authorisation: SignedAuthorisation, quorum: readonly number[], nonce: number): boolean =>
  sign(authorisation, quorum, nonce).result !== undefined;

const move = (seed = "1"): void => {
  const moved = moveKeyOn(cluster, shape, KEY_ID, seed);
  cluster.until(() => moved.isClosed, 60_000);
  expect(moved.result).toBeDefined();
};

/** The certificate of a move that all new holders receipted, and that its orchestrator shows to nobody. */
const withheld = (): Uint8Array => {
  const roster = rosterAt(shape);
  const holders = keyHolders(roster);
  const moved = moveKeyOn(cluster, shape, KEY_ID, "1");
  const pendingOf = (party: number) => heldEpochsOf(cluster, KEY_ID).get(testParty(party))?.pending[0];
  cluster.until(() => holders.every((party) => pendingOf(party) !== undefined), 60_000);
  moved.die();
  const receipts = holders.map((party) => [party, pendingOf(party)?.receipt ?? expect.fail()] as const);
  const { from, epoch, digest, session } = pendingOf(holders[0] ?? 0) ?? expect.fail("it waits");
  const transition = { subject: KEY_ID, from, to: epoch, digest, session: hexToBytes(session), holders };
  return certify(roster, transition, new Map(receipts)) ?? expect.fail("all signed");
};

/** Shows a certificate to one signer. @returns what it answers */
const show = (signer: number, certificate: Uint8Array) => {
  const { heard } = cluster.call(signer, (call) => ({ kind: "switch-epoch", call, certificate }));
  cluster.until(() => heard.length > 0);
  const [answer] = heard;
  return answer?.kind === "switched" ? answer : expect.fail(JSON.stringify(answer));
};

const handoversOf = (certificate: Uint8Array, ...signers: readonly number[]) =>
  new Map(
    signers.map((signer) => {
      const { handover = expect.fail("it hands over") } = show(signer, certificate);
      const read: EpochHandover = readHandover(handover) ?? expect.fail("it decodes");
      return [read.signer, read] as const;
    }),
  );

describe("INV-4 an orchestrator that keeps a certificate from some signers", () => {
  const replacing = { parties: [...FIVE, 6, 7], leaving: [1, 2], joined: [6, 7], threshold: 3 };

  test("has no request signed by the holders of before and by the new ones", () => {
    begin(replacing);
    const certificate = withheld();
    const twice = request();
    const few = withHandovers(certificate, handoversOf(certificate, 4, 5));
    for (const signer of [5, 6, 7]) expect(show(signer, few)).toMatchObject({ isWaiting: true });
    expect(isSigned(twice, [1, 2, 3], 1)).toBe(true);
    expect(isSigned(twice, [5, 6, 7], 2)).toBe(false);
    const enough = withHandovers(certificate, handoversOf(certificate, 3, 4, 5));
    for (const signer of [5, 6, 7]) expect(show(signer, enough)).toMatchObject({ epoch: 2 });
    expect(isSigned(twice, [5, 6, 7], 2)).toBe(false);
    expect(isSigned(request(), [1, 2, 3], 3)).toBe(false);
    expect(isSigned(request(), [5, 6, 7], 4)).toBe(true);
  });

  test("finds that a signer keeps its word over a restart", () => {
    begin(replacing);
    const certificate = withheld();
    handoversOf(certificate, 3, 4, 5);
    cluster.kill(3, 4, 5);
    cluster.restart(3, 4, 5);
    cluster.rest(1_000);
    expect(isSigned(request(), [1, 2, 3], 1)).toBe(false);
  });

  test("and shows it to the holders of before alone stops the key no longer than until it goes on", () => {
    begin(replacing);
    const certificate = withheld();
    handoversOf(certificate, 1, 2, 3, 4, 5);
    expect(isSigned(request(), [3, 4, 5], 1)).toBe(false);
    move();
    expect(isSigned(request(), [3, 4, 7], 1)).toBe(true);
  });

  test("has no share given up before the new holders may sign, and a signer that handed the key over keeps the certificate", () => {
    begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
    const certificate = withheld();
    for (const signer of [1, 2, 5]) expect(show(signer, certificate)).toMatchObject({ isWaiting: true });
    expect([1, 2, 5].map((signer) => holdsShare(cluster, signer, KEY_ID))).toEqual([true, true, true]);
    // nobody else has the certificate, and it cannot be made again: a receipt is lost
    cluster.kill(8);
    cluster.node(testParty(8)).records.clear();
    cluster.restart(8);
    move();
    cluster.rest(1_000);
    expect([1, 2, 3].map((signer) => holdsShare(cluster, signer, KEY_ID))).toEqual([false, false, false]);
    expect(isSigned(request(), [5, 6, 7], 1)).toBe(true);
  });

  test("gains nothing by a handover of another epoch, of no holder of before, or that is forged", () => {
    begin(replacing);
    const certificate = withheld();
    const [five = expect.fail(), ...others] = handoversOf(certificate, 5, 3, 4).values();
    const mapOf = (...given: readonly EpochHandover[]) => new Map(given.map((each) => [each.signer, each]));
    const forged = { ...five, sinceMs: 0 };
    const { heard } = cluster.call(7, (call) => ({
      kind: "switch-epoch",
      call,
      certificate: withHandovers(certificate, mapOf(...others, forged)),
    }));
    cluster.until(() => heard.length > 0);
    expect(heard).toMatchObject([{ kind: "refusal", problem: { code: "EpochCertificateInvalid" } }]);
    const six = { ...five, signer: testParty(6) };
    const { heard: again } = cluster.call(7, (call) => ({
      kind: "switch-epoch",
      call,
      certificate: withHandovers(certificate, mapOf(...others, six)),
    }));
    cluster.until(() => again.length > 0);
    expect(again).toMatchObject([{ kind: "refusal", problem: { code: "EpochCertificateInvalid" } }]);
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
    begin(next);
    const twice = request();
    expect(isSigned(twice, [1, 2, 3], 1)).toBe(true);
    move();
    const again = sign(twice, quorum, 2);
    expect(again.result).toBeUndefined();
    expect(again.problem).toMatchObject({ code: "RequestPrecedesHolders" });
  });

  test("the transaction that the holders of before bound a request to is signed, and no other one", () => {
    begin(next);
    const begun = request();
    expect(isSigned(begun, [1, 2, 3], 1)).toBe(true);
    move();
    expect(isSigned(begun, quorum, 2)).toBe(false);
    expect(isSigned(begun, quorum, 1)).toBe(true);
  });

  test("a request that was under way and that nobody signed is signed", () => {
    begin(next);
    const [signed, waiting] = [request(), request()];
    expect(isSigned(signed, [1, 2, 3], 1)).toBe(true);
    move();
    cluster.rest(1_000);
    expect(isSigned(waiting, quorum, 2)).toBe(true);
  });

  test("a request of before a restart of the holders of before is refused: they remember none", () => {
    begin(next);
    const old = request();
    cluster.rest(1_000);
    expect(isSigned(request(), [1, 2, 3], 1)).toBe(true);
    takeRoster(cluster, shape);
    cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    move();
    expect(sign(old, quorum, 2).problem).toMatchObject({ code: "RequestPrecedesHolders" });
    expect(isSigned(request(), quorum, 3)).toBe(true);
  });
});

test("INV-4 where fewer sign together after two changes, no request is signed that was signed before both", () => {
  begin({ parties: [1, 2, 3, 4], threshold: 3, past: [FIVE] });
  const twice = request();
  expect(isSigned(twice, [1, 2, 3], 1)).toBe(true);
  move();
  takeRoster(cluster, { parties: [1, 2, 3, 4], leaving: [1], threshold: 2, past: [FIVE] });
  shape = { parties: [1, 2, 3, 4], leaving: [1], threshold: 2, past: [FIVE] };
  move("2");
  expect(infoAmong(cluster, KEY_ID).threshold).toBe(2);
  expect(sign(twice, [3, 4], 2).problem).toMatchObject({ code: "RequestPrecedesHolders" });
  cluster.rest(2 * CLOCK_SKEW_MS_MAX);
  expect(isSigned(request(), [3, 4], 3)).toBe(true);
});
