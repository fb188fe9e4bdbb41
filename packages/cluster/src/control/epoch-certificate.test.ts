import { testParty } from "@conclave/threshold/testing";
import { bytesToHex } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import { rosterOf } from "../testing/fixtures.ts";
import { type EpochTransition, receiptBytes } from "./epoch-certificate.ts";

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
