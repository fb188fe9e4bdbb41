import { signEd25519 } from "@conclave/threshold";
import { testParty } from "@conclave/threshold/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { readCertificate, withHandovers } from "./control/epoch-certificate.ts";
import { boundRequestName, type EpochHandover, handoverBytes } from "./control/epoch-handover.ts";
import { CLOCK_SKEW_MS_MAX } from "./signer/limits.ts";
import { nextIdOf, RECORDS } from "./signer/records/record.ts";
import { authoriseTransaction, KEY_ID, transactionIdOf } from "./testing/fixtures.ts";
import { infoAmong, type RosterShape, rosterAt, takeRoster } from "./testing/roster/changed-roster.ts";
import { MemberChange } from "./testing/roster/member-change.ts";
import { askedAt } from "./testing/roster/sign-among.ts";

const FIVE = [1, 2, 3, 4, 5];

let change: MemberChange;
beforeEach(({ task }) => {
  change = new MemberChange(task.name);
});

describe("requests that nobody signed", () => {
  test("are signed after two changes that take no handovers, also when they are asked for just afterwards", () => {
    change.begin({ parties: FIVE, leaving: [1], threshold: 3 });
    change.move();
    change.begin({ parties: [2, 3, 4, 5], leaving: [2], threshold: 2, past: [FIVE] }, 2);
    const before = change.request();
    change.cluster.rest(1_000);
    change.move("2");
    expect(infoAmong(change.cluster, KEY_ID)).toMatchObject({ threshold: 2, parties: [3, 4, 5] });
    const afterwards = change.request();
    const codes = [before, afterwards].map((each, nonce) => change.sign(each, [4, 5], nonce).problem?.code);
    expect(codes).toEqual([undefined, undefined]);
  });

  test("are signed though one earlier holder claims to have signed them, if n - t + 1 others state that they did not", () => {
    change.begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
    const id = "tx-waiting";
    const waiting = change.request();
    const { payload } = waiting;
    const parsed: { readonly requestId: string } = JSON.parse(new TextDecoder().decode(payload));
    const certificate = change.withheld();
    const honest = change.handoversOf(certificate, 2, 3, 4, 5);
    const roster = rosterAt(change.shape);
    const read = readCertificate(roster, certificate) ?? expect.fail(id);
    const known = {
      sinceMs: 0,
      latestMs: 0,
      requests: [boundRequestName(parsed.requestId, "ef".repeat(32))],
    };
    const one = testParty(1);
    const bytes = handoverBytes(roster, one, read, known);
    const { identity } = change.cluster.node(1).config.secrets.reveal();
    const lie: EpochHandover = { signer: one, ...known, signature: signEd25519(bytes, identity) };
    const all = withHandovers(certificate, new Map([...honest, [one, lie] as const]));
    for (const signer of [2, 3, 4, 5, 6, 7, 8]) change.show(signer, all);
    const { result, problem } = change.sign(waiting, [6, 7, 8], 1);
    expect({ isSigned: result !== undefined, code: problem?.code }).toEqual({
      isSigned: true,
      code: undefined,
    });
  });
});

test("INV-4 a replacement of a request that holders of before signed in an earlier life is refused: nobody names it any more", () => {
  expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(true);
  change.begin({ parties: [...FIVE, 6, 7, 8], leaving: [1, 2, 3], joined: [6, 7, 8], threshold: 3 });
  change.move();
  const replacement = askedAt(change.cluster, authoriseTransaction(2, [transactionIdOf(1)]));
  expect(change.sign(replacement, [6, 7, 8], 2).problem).toMatchObject({ code: "RequestPrecedesHolders" });
  expect(change.isSigned(askedAt(change.cluster, authoriseTransaction(3)), [6, 7, 8], 3)).toBe(true);
});

describe("a signer that lost its disk and was provisioned again", () => {
  const reprovision = (signer: number, auxiliaryFrom: number): void => {
    change.cluster.kill(signer);
    change.cluster.node(signer).records.clear();
    change.cluster.restart(signer);
    change.cluster.rest(1_000);
    change.move(`reprovision ${signer}`);
    change.renewAuxiliary(auxiliaryFrom);
  };

  test("INV-4 refuses a request that others signed, and signs one that nobody did", () => {
    change.begin({ parties: FIVE, threshold: 3 });
    const [twice, waiting] = [change.request(), change.request()];
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    reprovision(3, 2);
    expect(change.sign(twice, [3, 4, 5], 2).problem).toBeDefined();
    expect(change.isSigned(twice, [3, 4, 5], 1)).toBe(true);
    expect(change.isSigned(waiting, [3, 4, 5], 3)).toBe(true);
  });

  test("signs replacements where n - t others lost theirs too, and for 90 days none where more did: nobody knows what they replace", () => {
    change.begin({ parties: FIVE, threshold: 3 });
    const replacementOf = (one: number, by: number) =>
      askedAt(change.cluster, authoriseTransaction(by, [transactionIdOf(one)]));
    for (const signer of [1, 2]) reprovision(signer, signer + 1);
    expect(change.isSigned(change.request(), [1, 2, 3], 1)).toBe(true);
    expect(change.isSigned(replacementOf(1, 11), [4, 5, 1], 2)).toBe(false);
    expect(change.isSigned(replacementOf(1, 11), [1, 4, 5], 1)).toBe(true);
    for (const signer of [3, 4, 5]) reprovision(signer, signer + 1);
    expect(change.isSigned(change.request(), [1, 2, 3], 3)).toBe(true);
    expect(change.sign(replacementOf(2, 12), [1, 4, 5], 3).problem?.code).toBe("RequestPrecedesHolders");
  });

  test("INV-4 does not vouch in a handover for the time before it was", () => {
    change.begin({ parties: [...FIVE, 6], leaving: [1], joined: [6], threshold: 3 });
    expect(change.isSigned(change.request(), [3, 4, 5], 9)).toBe(true);
    change.cluster.rest(1_000);
    const twice = change.request();
    expect(change.isSigned(twice, [1, 2, 3], 1)).toBe(true);
    const five: RosterShape = { parties: FIVE, threshold: 3 };
    change.shape = five;
    takeRoster(change.cluster, five);
    reprovision(3, 2);
    change.begin({ parties: [...FIVE, 6], leaving: [1], joined: [6], threshold: 3 }, 3);
    const certificate = change.withheld("2");
    const given = change.handoversOf(certificate, 3, 4, 5);
    for (const signer of [1, 2, 3, 4, 5, 6]) change.show(signer, withHandovers(certificate, given));
    const again = change.sign(twice, [4, 5, 6], 2);
    expect(again.result).toBeUndefined();
  });
});

describe("an upgrade in the middle of a change", () => {
  test("INV-4 does not have shares that wait since the version before activated without a handover", () => {
    change.begin({ parties: [...FIVE, 6], leaving: [1], joined: [6], threshold: 3 });
    const certificate = change.withheld();
    for (const signer of [2, 3, 4, 5, 6]) {
      const node = change.cluster.node(signer);
      node.kill();
      const record = RECORDS.next.name(nextIdOf(KEY_ID, 2));
      const value = node.records.get(record) ?? expect.fail("it waits");
      const { before: _, ...rest } = RECORDS.next.read({ record, value });
      const comes = signer === 6 ? ({ comes: true } as const) : {};
      node.records.set(record, RECORDS.next.write({ ...rest, ...comes }));
      change.cluster.restart(signer);
    }
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    for (const signer of [4, 5, 6]) change.show(signer, certificate);
    change.cluster.rest(2 * CLOCK_SKEW_MS_MAX);
    const twice = change.request();
    const [old, next] = [change.sign(twice, [1, 2, 3], 1), change.sign(twice, [4, 5, 6], 2)];
    expect([old, next].filter(({ result }) => result !== undefined).length).toBeLessThan(2);
  });
});
