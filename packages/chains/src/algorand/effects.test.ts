import { bytesToHex } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALGO_TRANSFER,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
  authorisedAlgorandBytes,
} from "../testing/algorand-samples.ts";
import { ALGORAND_FAMILY } from "./family.ts";
import { type AlgorandDraft, encodeAlgorand } from "./transaction.ts";

const { genesisId, genesisHash, network } = ALGORAND_TESTNET;
const unsigned = bytesToHex(
  encodeAlgorand({
    from: ALGORAND_SENDER,
    fee: 2_000n,
    firstValid: 100n,
    lastValid: 300n,
    genesisId,
    genesisHash,
    lease: undefined,
    payment: { type: "axfer", to: ALGORAND_RECIPIENT, amount: 5n, assetId: BigInt(ASSET_ID) },
  }),
);
const exact = { kind: "Exact", from: ALGORAND_SENDER, unsigned };
const alone = { kind: "transaction", network, transaction: unsigned };

const drafts: fc.Arbitrary<AlgorandDraft> = fc
  .record({
    fee: fc.bigInt({ min: 1n, max: 200_000n }),
    amount: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    to: fc.constantFrom(ALGORAND_SENDER, ALGORAND_RECIPIENT),
    assetId: fc.option(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), { nil: undefined }),
    genesisId: fc.constantFrom(genesisId, "mainnet-v1.0", undefined),
  })
  .map(({ fee, amount, to, assetId, genesisId: named }) => ({
    from: ALGORAND_SENDER,
    fee,
    firstValid: 100n,
    lastValid: 300n,
    genesisId: named,
    genesisHash,
    lease: undefined,
    payment: assetId === undefined ? { type: "pay", to, amount } : { type: "axfer", to, amount, assetId },
  }));

describe("the facts that policies judge of an Algorand request", () => {
  it("is what signers read in a caller's own bytes: the same movements, and the whole fee", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const bytes = encodeAlgorand(draft);
        const act = authorisedAlgorandBytes(bytes);
        const read = ALGORAND_FAMILY.read(ALGORAND_TESTNET, bytes, act);
        if (!read.ok) return;
        const { fee, ...judged } = ALGORAND_FAMILY.effectsOf(ALGORAND_TESTNET, act.transaction, false);
        expect([judged, fee]).toEqual([read.value.effects, read.value.fee.toString()]);
      }),
    );
  });

  it("is what a transfer moves, and no fee: the service chooses it", () => {
    expect(ALGORAND_FAMILY.effectsOf(ALGORAND_TESTNET, ALGO_TRANSFER, false)).toEqual({
      movements: [{ asset: "Native", amount: ALGO_TRANSFER.amount, recipient: ALGORAND_RECIPIENT }],
      unknown: undefined,
    });
    expect(ALGORAND_FAMILY.effectsOf(undefined, ASA_TRANSFER, false).movements).toEqual([
      { asset: ASSET_ID, amount: ASA_TRANSFER.amount, recipient: ALGORAND_RECIPIENT },
    ]);
  });

  it.each([exact, alone])(
    "is what a caller's own bytes move, with the fee that they fix: $kind",
    (content) => {
      expect(ALGORAND_FAMILY.effectsOf(ALGORAND_TESTNET, content, false)).toEqual({
        movements: [{ asset: ASSET_ID, amount: "5", recipient: ALGORAND_RECIPIENT }],
        unknown: undefined,
        fee: "2000",
      });
    },
  );

  it.each([
    [
      "another chain's bytes",
      { ...ALGORAND_TESTNET, genesisHash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=" },
      exact,
    ],
    ["bytes for no network", undefined, alone],
    ["bytes that nobody reads", ALGORAND_TESTNET, { ...exact, unsigned: "80" }],
    ["a field that nobody knows", ALGORAND_TESTNET, { ...exact, memo: "x" }],
    ["another family's transfer", ALGORAND_TESTNET, { kind: "Erc20" }],
  ])("is unknown of %s", (_, entry, content) => {
    const { movements, unknown } = ALGORAND_FAMILY.effectsOf(entry, content, false);
    expect([movements, typeof unknown]).toEqual([[], "string"]);
  });
});
