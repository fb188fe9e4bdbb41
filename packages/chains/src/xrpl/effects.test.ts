import { bytesToHex } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authorisedXrplBytes,
  XRP_TRANSFER,
  XRPL_DRAFT,
  XRPL_RECIPIENT,
  XRPL_SENDER,
  XRPL_TESTNET,
} from "../testing/xrpl-samples.ts";
import { XRPL_FAMILY } from "./family.ts";
import { encodeXrpl } from "./transaction.ts";

const unsigned = bytesToHex(encodeXrpl(XRPL_DRAFT));
const exact = { kind: "Exact", from: XRPL_SENDER, unsigned };
const alone = { kind: "transaction", network: XRPL_TESTNET.network, transaction: unsigned };
const MOVED = {
  movements: [{ asset: "Native", amount: "1500000", recipient: XRPL_RECIPIENT }],
  unknown: undefined,
};

describe("the facts that policies judge of a request on the XRP Ledger", () => {
  it("is what signers read in a caller's own bytes: the same movements, and the whole fee", () => {
    const drafts = fc.record({
      fee: fc.bigInt({ min: 1n, max: 20_000n }),
      amount: fc.bigInt({ min: 1n, max: 10n ** 17n }),
      networkId: fc.constantFrom(undefined, 1, 21_337),
    });
    fc.assert(
      fc.property(drafts, (change) => {
        const bytes = encodeXrpl({ ...XRPL_DRAFT, ...change });
        const act = authorisedXrplBytes(bytes);
        const read = XRPL_FAMILY.read(XRPL_TESTNET, bytes, act);
        if (!read.ok) return;
        const { fee, ...judged } = XRPL_FAMILY.effectsOf(XRPL_TESTNET, act.transaction, false);
        expect([judged, fee]).toEqual([read.value.effects, read.value.fee.toString()]);
      }),
    );
  });

  it("is what a transfer moves to an account, whatever its tag, and no fee: the service chooses it", () => {
    expect(XRPL_FAMILY.effectsOf(XRPL_TESTNET, XRP_TRANSFER, false)).toEqual(MOVED);
    expect(XRPL_FAMILY.effectsOf(undefined, XRP_TRANSFER, false)).toEqual(MOVED);
  });

  it.each([exact, alone])(
    "is what a caller's own bytes move, with the fee that they fix: $kind",
    (content) => {
      expect(XRPL_FAMILY.effectsOf(XRPL_TESTNET, content, false)).toEqual({ ...MOVED, fee: "12" });
    },
  );

  it.each([
    ["another chain's bytes", { ...XRPL_TESTNET, networkId: 21_337 }, exact],
    ["bytes for no network", undefined, alone],
    ["bytes that nobody reads", XRPL_TESTNET, { ...exact, unsigned: "80" }],
    ["a field that nobody knows", XRPL_TESTNET, { ...exact, memo: "x" }],
    ["another family's transfer", XRPL_TESTNET, { kind: "Erc20" }],
  ])("is unknown of %s", (_, entry, content) => {
    const { movements, unknown } = XRPL_FAMILY.effectsOf(entry, content, false);
    expect([movements, typeof unknown]).toEqual([[], "string"]);
  });
});
