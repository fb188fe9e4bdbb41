import type { PartyIndex } from "@conclave/threshold";
import { insecurePeerKeys, testParty } from "@conclave/threshold/testing";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { describe, expect, test } from "vitest";
import { rosterOf } from "../testing/fixtures.ts";
import { certificateBy } from "../testing/receipts.ts";
import { type EpochTransition, readCertificate, receiptBytes } from "./epoch-certificate.ts";
import type { RosterMember } from "./roster-member.ts";

type Roster = ReadonlyMap<PartyIndex, RosterMember>;

const transition: EpochTransition = {
  subject: "key-1",
  from: 1,
  to: 2,
  digest: new Uint8Array(32).fill(1),
  session: new Uint8Array(32).fill(2),
};
const bytes = (size: number, signer: number, changed: Partial<EpochTransition> = {}): string =>
  bytesToHex(receiptBytes(rosterOf(size), testParty(signer), { ...transition, ...changed }));

test("P11 a receipt is for one cluster, one signer and one transition", () => {
  const receipts = [
    bytes(5, 1),
    bytes(4, 1), // another roster
    bytes(5, 2),
    bytes(5, 1, { subject: "key-2" }),
    bytes(5, 1, { from: 0 }),
    bytes(5, 1, { to: 3 }),
    bytes(5, 1, { digest: new Uint8Array(32).fill(3) }),
    bytes(5, 1, { session: new Uint8Array(32).fill(3) }),
  ];
  expect(new Set(receipts).size).toBe(receipts.length);
  expect(bytes(5, 1)).toBe(receipts[0]);
});

const SIZE = 3;
/** A party's index, and an Ed25519 signature. */
const RECEIPT_BYTES = 1 + 64;

describe("a certificate", () => {
  const made = certificateBy(SIZE, transition);
  const head = made.slice(0, -SIZE * RECEIPT_BYTES - 1); // the bytes before the number of receipts
  const receipts = [3, 2, 1].map((left) =>
    made.slice(made.length - left * RECEIPT_BYTES).slice(0, RECEIPT_BYTES),
  );
  const [one = expect.fail(), two = expect.fail(), three = expect.fail()] = receipts;
  const read = (...of: readonly Uint8Array[]) =>
    readCertificate(rosterOf(SIZE), concatBytes(head, Uint8Array.of(of.length), ...of));

  test("is believed with the receipts of all signers, in their order", () => {
    expect(read(one, two, three)).toMatchObject(transition);
  });

  test.each([
    ["without a receipt", [one, two]],
    ["without any", []],
    ["with one of them twice", [one, one, three]],
    ["with one too many", [one, two, three, three]],
    ["with two exchanged", [two, one, three]],
  ])("is nothing %s", (_, given) => {
    expect(read(...given)).toBeUndefined();
  });

  test("of the time before identities were renewed is believed by today's roster, and by no mixture of two times", () => {
    const now = rosterOf(SIZE);
    const [signer2, signer3] = [testParty(2), testParty(3)];
    const other = (party: number) => insecurePeerKeys(testParty(party)).identity;
    const member = (party: PartyIndex) => now.get(party) ?? expect.fail("no such member");
    const { identity: had2 } = member(signer2);
    const { identity: had3 } = member(signer3);
    const certificate = certificateBy(SIZE, transition);
    const withIdentities = (at: Roster, second: Uint8Array, third: Uint8Array): Roster =>
      new Map(at)
        .set(signer2, { ...member(signer2), identity: second })
        .set(signer3, { ...member(signer3), identity: third });
    // signer 2's identity was renewed, then signer 3's, then signer 2's again
    const today = withIdentities(now, other(8), other(9));
    const past = [withIdentities(now, other(7), other(9)), withIdentities(now, other(7), had3), now];
    expect(readCertificate(today, certificate, { past })).toMatchObject(transition);
    expect(readCertificate(today, certificate, { past })?.by.get(signer3)?.identity).toEqual(had3);
    expect(readCertificate(today, certificate)).toBeUndefined();
    // signer 3's identity was renewed before signer 2 got this one, so the two were never in force together
    const swapped = [
      withIdentities(now, had2, other(9)),
      withIdentities(now, other(7), other(9)),
      withIdentities(now, other(7), had3),
    ];
    expect(readCertificate(today, certificate, { past: swapped })).toBeUndefined();
  });

  test.each([1, 0])("from epoch 1 to %i is nothing, though all signed it", (to) => {
    expect(readCertificate(rosterOf(SIZE), certificateBy(SIZE, { ...transition, to }))).toBeUndefined();
  });
});
