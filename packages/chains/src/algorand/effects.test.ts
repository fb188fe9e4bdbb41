import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import {
  ALGO_TRANSFER,
  ALGORAND_RECIPIENT,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASA_TRANSFER,
  ASSET_ID,
} from "../testing/algorand-samples.ts";
import { effectsOfAlgorand } from "./effects.ts";
import { ALGORAND_FAMILY } from "./family.ts";
import { encodeAlgorand } from "./transaction.ts";

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

describe("what policies judge of an Algorand request", () => {
  it("is what a transfer moves, and no fee: the service chooses it", () => {
    expect(effectsOfAlgorand(ALGORAND_TESTNET, ALGO_TRANSFER)).toEqual({
      movements: [{ asset: "Native", amount: ALGO_TRANSFER.amount, recipient: ALGORAND_RECIPIENT }],
      unknown: undefined,
    });
    expect(effectsOfAlgorand(undefined, ASA_TRANSFER).movements).toEqual([
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
    const { movements, unknown } = effectsOfAlgorand(entry, content);
    expect([movements, typeof unknown]).toEqual([[], "string"]);
  });
});
