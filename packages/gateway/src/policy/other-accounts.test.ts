import { FAMILIES } from "@conclave/chains";
import {
  ALGORAND_KEY,
  ALGORAND_TESTNET,
  algorandBytes,
  STELLAR_KEY,
  STELLAR_TESTNET,
  stellarBytes,
  TRON_KEY,
  TRON_NILE,
  testAccount,
  testEdwardsKey,
  tronBytes,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_KEY,
  XRPL_TESTNET,
  xrplBytes,
  xrplBytesWithoutKey,
} from "@conclave/chains/testing";
import { networkSchema, signatureBodySchema } from "@conclave/custody";
import { describe, expect, test } from "vitest";
import { bodyReader } from "../reading/body-reader.ts";

const ENTRIES = [ALGORAND_TESTNET, STELLAR_TESTNET, TRON_NILE, XRPL_TESTNET];
const chains = new Map(ENTRIES.map((network) => [network.network, { network }]));
const READER = bodyReader({ families: FAMILIES, chains });

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const OTHER = {
  ECDSA: testAccount("11".repeat(32)),
  "FROST-Ed25519": testEdwardsKey("11".repeat(32)),
} as const;

/** The effects, for policies, of bytes that a key of a wallet signs. */
const effectsOf = (
  scheme: keyof typeof OTHER,
  name: string,
  key: { readonly publicKey: Uint8Array },
  transaction: string,
) => {
  const network = networkSchema.parse(name);
  const subject = { scheme, network, publicKey: hex(key.publicKey), internalKey: undefined };
  const body = signatureBodySchema.parse({ kind: "Transaction", transaction });
  const read = READER.signature(subject, body, [network]);
  return read.ok ? read.value.effects : expect.fail(read.problem.message);
};

describe("bytes of an account are judged by the limits of", () => {
  test.each([
    ["the XRP Ledger", "ECDSA", XRPL_TESTNET.network, XRPL_KEY, xrplBytes()],
    [
      "the XRP Ledger",
      "FROST-Ed25519",
      XRPL_TESTNET.network,
      XRPL_EDWARDS_KEY,
      xrplBytes(XRPL_EDWARDS_DRAFT),
    ],
    ["Stellar", "FROST-Ed25519", STELLAR_TESTNET.network, STELLAR_KEY, stellarBytes()],
    ["TRON", "ECDSA", TRON_NILE.network, TRON_KEY, tronBytes()],
    ["Algorand", "FROST-Ed25519", ALGORAND_TESTNET.network, ALGORAND_KEY, algorandBytes()],
  ] as const)("its own key on %s (%s)", (_, scheme, network, key, transaction) => {
    expect(effectsOf(scheme, network, key, transaction)).toMatchObject({ unknown: undefined });
  });

  test.each([
    // bytes without a public key: the signing key, which may be a regular key, is filled in
    ["the XRP Ledger", "FROST-Ed25519", XRPL_TESTNET.network, xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT)],
    ["the XRP Ledger", "ECDSA", XRPL_TESTNET.network, xrplBytesWithoutKey()],
    ["Stellar", "FROST-Ed25519", STELLAR_TESTNET.network, stellarBytes()],
    ["TRON", "ECDSA", TRON_NILE.network, tronBytes()],
    ["Algorand", "FROST-Ed25519", ALGORAND_TESTNET.network, algorandBytes()],
  ] as const)("nobody where another key signs for it on %s (%s)", (_, scheme, network, transaction) => {
    expect(effectsOf(scheme, network, OTHER[scheme], transaction)).toEqual({
      movements: [],
      unknown: "the transaction moves what another account has",
    });
  });
});
