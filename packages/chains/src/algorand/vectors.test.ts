import { ed25519 } from "@noble/curves/ed25519.js";
import { base64 } from "@scure/base";
import {
  decodeAddress,
  decodeSignedTransaction,
  encodeAddress,
  generateAccount,
  makePaymentTxnWithSuggestedParamsFromObject,
} from "algosdk";
import { describe, expect, it } from "vitest";
import vectors from "../../../../test/vectors/algorand.json" with { type: "json" };
import { attachAlgorandSignature } from "./attach.ts";
import { algorandAddress } from "./rules/address.ts";
import {
  type AlgorandDraft,
  algorandId,
  bytesToSign,
  decodeAlgorand,
  encodeAlgorand,
} from "./transaction.ts";

type Landed = (typeof vectors.landed)[number];

const draftOf = ({ kind, to, amount, assetId, ...rest }: Landed): AlgorandDraft => ({
  from: rest.from,
  fee: BigInt(rest.fee),
  firstValid: BigInt(rest.firstValid),
  lastValid: BigInt(rest.lastValid),
  genesisId: rest.genesisId,
  genesisHash: rest.genesisHash,
  lease: undefined,
  payment:
    kind === "axfer" && assetId !== undefined
      ? { type: "axfer", to, amount: BigInt(amount), assetId: BigInt(assetId) }
      : { type: "pay", to, amount: BigInt(amount) },
});

describe("transactions of the real network", () => {
  it.each(vectors.landed)(
    "have the id that the network gave them, and read as what they were: $id",
    (landed) => {
      const unsigned = encodeAlgorand(draftOf(landed));
      expect(algorandId(unsigned)).toBe(landed.id);
      expect(decodeAlgorand(unsigned)).toEqual({ ok: true, value: draftOf(landed) });
    },
  );

  const signed = vectors.landed.filter(({ signatures }) => signatures.length > 0);
  it.each(signed)("are signed over the bytes that are signed here: $id", (landed) => {
    const message = bytesToSign(encodeAlgorand(draftOf(landed)));
    for (const { key, signature } of landed.signatures) {
      expect(ed25519.verify(base64.decode(signature), message, base64.decode(key))).toBe(true);
    }
  });

  it.each(vectors.refused)("are not read when they have a $field", (refused) => {
    const { note, group, genesisHash, genesisId: genesisID } = refused;
    const suggestedParams = {
      fee: Number(refused.fee),
      flatFee: true,
      firstValid: BigInt(refused.firstValid),
      lastValid: BigInt(refused.lastValid),
      genesisHash: base64.decode(genesisHash),
      genesisID,
      minFee: 1000,
    };
    const built = makePaymentTxnWithSuggestedParamsFromObject({
      sender: refused.from,
      receiver: refused.to,
      amount: BigInt(refused.amount),
      ...(note === undefined ? {} : { note: base64.decode(note) }),
      suggestedParams,
    });
    if (group !== undefined) built.group = base64.decode(group);
    expect(built.txID()).toBe(refused.id);
    const unsigned = built.toByte();
    const decoded = decodeAlgorand(unsigned);
    expect(!decoded.ok && decoded.problem.message).toContain(`its field ${refused.field}`);
  });
});

describe("the golden transaction of the official SDKs", () => {
  const { sender, bytes, genesisHash, assetId } = vectors.signedBySdk;
  const golden = base64.decode(bytes);

  it("reads as an opt-in that names its chain by the hash alone, and gets the very same signed bytes", () => {
    const { txn, sig = new Uint8Array() } = decodeSignedTransaction(golden);
    const unsigned = txn.toByte();
    const decoded = decodeAlgorand(unsigned);
    expect(decoded.ok && decoded.value).toMatchObject({
      from: sender,
      genesisHash,
      genesisId: undefined,
      payment: { type: "axfer", to: sender, amount: 0n, assetId: BigInt(assetId) },
    });
    const key = decodeAddress(sender).publicKey;
    const attached = attachAlgorandSignature(unsigned, [{ scheme: "FROST-Ed25519", bytes: sig }], [key]);
    expect(attached).toEqual({ ok: true, value: { signed: golden, txHash: txn.txID() } });
  });
});

describe("addresses", () => {
  it("are those that the official SDK derives", () => {
    for (let at = 0; at < 10; at += 1) {
      const { publicKey } = generateAccount().addr;
      expect(algorandAddress(publicKey)).toBe(encodeAddress(publicKey));
    }
  });
});
