import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { decode, verifySignature } from "xrpl";
import vectors from "../../../../test/vectors/xrpl.json" with { type: "json" };
import { attachXrplSignature } from "./attach.ts";
import { isXrplEd25519, xrplAddress } from "./rules/address.ts";
import { decodeXrpl, encodeXrpl, signedXrpl, type XrplDraft, xrplId, xrplSignable } from "./transaction.ts";

type Landed = (typeof vectors.landed)[number];

const draftOf = ({ fields }: Landed): XrplDraft => ({
  networkId: fields.NetworkID,
  flags: fields.Flags,
  sourceTag: undefined,
  sequence: fields.Sequence,
  destinationTag: fields.DestinationTag,
  lastLedger: fields.LastLedgerSequence,
  amount: BigInt(fields.Amount),
  fee: BigInt(fields.Fee),
  signingPubKey: hexToBytes(fields.SigningPubKey),
  from: fields.Account,
  to: fields.Destination,
});

describe("transactions of the real networks", () => {
  it.each(vectors.landed)("have the bytes and the id that the network gave them: $id", (landed) => {
    const unsigned = encodeXrpl(draftOf(landed));
    expect(decodeXrpl(unsigned)).toEqual({ ok: true, value: draftOf(landed) });
    const signed = signedXrpl(unsigned, hexToBytes(landed.fields.TxnSignature));
    expect([bytesToHex(signed).toUpperCase(), xrplId(signed)]).toEqual([landed.signed, landed.id]);
    expect(decode(landed.signed)).toEqual(landed.fields);
  });

  it.each(vectors.landed)(
    "are signed over what is signed here, by the key of their account: $id",
    (landed) => {
      const draft = draftOf(landed);
      const unsigned = encodeXrpl(draft);
      const { bytes } = xrplSignable(unsigned, draft);
      const signature = hexToBytes(landed.fields.TxnSignature);
      const isSigned = isXrplEd25519(draft.signingPubKey)
        ? ed25519.verify(signature, bytes, draft.signingPubKey.slice(1))
        : secp256k1.verify(signature, bytes, draft.signingPubKey, { prehash: false, format: "der" });
      expect([isSigned, verifySignature(landed.signed)]).toEqual([true, true]);
      expect(xrplAddress(draft.signingPubKey)).toBe(draft.from);
    },
  );

  const edwards = vectors.landed.filter(({ fields }) => fields.SigningPubKey.startsWith("ED"));
  it.each(edwards)("get their very bytes when their signature is attached: $id", (landed) => {
    const draft = draftOf(landed);
    const signature = { scheme: "FROST-Ed25519", bytes: hexToBytes(landed.fields.TxnSignature) } as const;
    const attached = attachXrplSignature(encodeXrpl(draft), [signature], [draft.signingPubKey.slice(1)]);
    expect(attached).toEqual({ ok: true, value: { signed: hexToBytes(landed.signed), txHash: landed.id } });
  });

  it.each(vectors.refused)(
    "are not read when one can do more, or not be understood: $why",
    ({ unsigned, why, signed, id }) => {
      expect(xrplId(hexToBytes(signed))).toBe(id);
      const decoded = decodeXrpl(hexToBytes(unsigned));
      expect(!decoded.ok && decoded.problem.message).toContain(why);
    },
  );
});
