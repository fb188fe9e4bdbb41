import { FAMILIES } from "@conclave/chains";
import {
  algorandBytes,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  solanaBytes,
  stellarBytes,
  testAccount,
  testEdwardsKey,
  tronBytes,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  xrplBytes,
  xrplBytesWithoutKey,
  xrplPublicKey,
} from "@conclave/chains/testing";
import { WALLET_SAMPLES, type WalletSample } from "@conclave/chains/testing/ledgers";
import { describe, expect, it } from "vitest";
import { signatureTaskOf } from "../testing/signature-task-of.ts";

interface Case extends Pick<WalletSample, "entryAt" | "key" | "sender"> {
  readonly scheme: "ECDSA" | "FROST-Ed25519";
  /** bytes as the caller gives them, hex with 0x */
  readonly given: string;
  /** the same bytes with all signed parts */
  readonly whole?: string;
  /** fields of the content besides the bytes */
  readonly beside?: object;
  /** bytes that signers refuse to read */
  readonly unreadable: string;
}

const { Algorand, Solana, Stellar, Tron, Xrpl } = WALLET_SAMPLES;
const EDWARDS = {
  ...Xrpl,
  scheme: "FROST-Ed25519",
  key: XRPL_EDWARDS_KEY,
  sender: XRPL_EDWARDS_SENDER,
} as const;
const ofXrpl = <Sample extends WalletSample>(sample: Sample) => ({
  ...sample,
  beside: { signingPubKey: Buffer.from(xrplPublicKey(sample.key.publicKey)).toString("hex") },
  unreadable: xrplBytes({ flags: 0x0002_0000 }),
});
const SOLANA: Case = {
  ...Solana,
  given: solanaBytes(),
  // with a lookup table
  unreadable: `${solanaBytes().slice(0, -2)}01`,
};
const CASES: readonly (readonly [string, Case])[] = [
  [
    "Algorand",
    { ...Algorand, given: algorandBytes(), unreadable: algorandBytes({ note: Uint8Array.of(1) }) },
  ],
  ["Solana", SOLANA],
  // the unreadable ones: one already signed, and one with a note
  ["Stellar", { ...Stellar, given: stellarBytes(), unreadable: `${stellarBytes().slice(0, -2)}01` }],
  ["TRON", { ...Tron, given: tronBytes(), unreadable: `${tronBytes()}52026869` }],
  ["the XRP Ledger", { ...ofXrpl(Xrpl), given: xrplBytes() }],
  ["the XRP Ledger, without its key", { ...ofXrpl(Xrpl), given: xrplBytesWithoutKey(), whole: xrplBytes() }],
  ["the XRP Ledger, of Ed25519", { ...ofXrpl(EDWARDS), given: xrplBytes(XRPL_EDWARDS_DRAFT) }],
  [
    "the XRP Ledger, of Ed25519 without its key",
    {
      ...ofXrpl(EDWARDS),
      given: xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT),
      whole: xrplBytes(XRPL_EDWARDS_DRAFT),
    },
  ],
];
const entryOf = ({ entryAt }: Case) => entryAt("http://127.0.0.1:9");

const taskOf = (of: Case, transaction: string) =>
  signatureTaskOf({
    entry: entryOf(of),
    scheme: of.scheme,
    publicKey: of.key.publicKey,
    content: { kind: "transaction", transaction: transaction.slice(2), ...of.beside },
    body: { kind: "Transaction", transaction },
  });

const begun = (of: Case) => {
  const task = taskOf(of, of.given);
  return task.ok ? task.value : expect.fail(task.problem.message);
};

describe("a transaction that is signed and not sent", () => {
  it.each(CASES)("is answered whole, with the signature of its key: %s", (_, of) => {
    const { request, finish } = begun(of);
    const signing = of.scheme === "ECDSA" ? "CGGMP24" : of.scheme;
    expect([request.isChosen, request.signables.map(({ scheme }) => scheme)]).toEqual([false, [signing]]);
    const signature = of.key.sign(request.signables[0]?.bytes ?? new Uint8Array());
    const finished = finish([signature]);
    const entry = entryOf(of);
    const family = FAMILIES.familyOf(entry.network);
    const unsigned = Buffer.from((of.whole ?? of.given).slice(2), "hex");
    const attached = family.attach(unsigned, [signature], [of.key.publicKey], entry);
    if (!finished.ok || !attached.ok) expect.fail("it is signed");
    expect(finished.value.signedData).toBe(`0x${Buffer.from(attached.value.signed).toString("hex")}`);
    expect(family.addressOf(entry.network, of.key.publicKey)).toBe(of.sender);
    if (signature.scheme !== "CGGMP24") {
      expect(finished.value.signature.encoded).toBe(`0x${Buffer.from(signature.bytes).toString("hex")}`);
    }
    if (of.entryAt === Tron.entryAt) {
      // clients expect r, s and 27 or 28, as on the chain
      const encoded = Buffer.from(attached.value.signed.slice(-65)).toString("hex");
      expect(finished.value.signature.encoded).toBe(`0x${encoded}`);
    }
  });

  it.each(CASES)("INV-3 is not finished with a signature of another key: %s", (_, of) => {
    const { request, finish } = begun(of);
    const other = of.scheme === "ECDSA" ? testAccount("0d".repeat(32)) : testEdwardsKey("0d".repeat(32));
    expect(finish([other.sign(request.signables[0]?.bytes ?? new Uint8Array())]).ok).toBe(false);
  });

  it.each(CASES)("INV-3 is not begun when nobody reads it: %s", (_, of) => {
    const task = taskOf(of, of.unreadable);
    expect(!task.ok && task.problem.code).toBe("TransactionUnreadable");
  });

  it("is not begun for the bytes of another Solana account, to which no signature of the key can be attached", () => {
    const payment = { kind: "payment", from: SOLANA_RECIPIENT, to: SOLANA_SENDER, amount: 5n } as const;
    const task = taskOf(SOLANA, solanaBytes({ from: SOLANA_RECIPIENT, instructions: [payment] }));
    expect(!task.ok && [task.problem.code, task.problem.details]).toEqual([
      "TransactionMismatch",
      { field: "from", is: SOLANA_RECIPIENT, authorised: SOLANA_SENDER },
    ]);
  });
});
