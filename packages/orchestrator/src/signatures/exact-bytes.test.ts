import { FAMILIES, type NetworkEntry } from "@conclave/chains";
import {
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  algorandBytes,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  STELLAR_KEY,
  STELLAR_SENDER,
  STELLAR_TESTNET,
  solanaBytes,
  stellarBytes,
  TRON_KEY,
  TRON_NILE,
  TRON_SENDER,
  testAccount,
  testEdwardsKey,
  tronBytes,
  XRPL_EDWARDS_DRAFT,
  XRPL_EDWARDS_KEY,
  XRPL_EDWARDS_SENDER,
  XRPL_KEY,
  XRPL_SENDER,
  XRPL_TESTNET,
  xrplBytes,
  xrplBytesWithoutKey,
} from "@conclave/chains/testing";
import { networkSchema, xrplPublicKey } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { signatureTaskOf } from "../testing/signature-task-of.ts";
import type { WalletKey } from "../testing/wallet-world.ts";

interface Case {
  readonly entry: NetworkEntry & { readonly network: string };
  readonly scheme: "ECDSA" | "FROST-Ed25519";
  readonly key: WalletKey;
  readonly address: string;
  /** hex with 0x, as the caller gives it */
  readonly given: string;
  /** the same with all that is signed in it */
  readonly whole?: string;
  /** fields of the content beside the bytes */
  readonly beside?: object;
  /** bytes that no signer reads */
  readonly unreadable: string;
}

const ofXrpl = (scheme: Case["scheme"], key: WalletKey, address: string) => ({
  entry: XRPL_TESTNET,
  scheme,
  key,
  address,
  beside: { signingPubKey: Buffer.from(xrplPublicKey(key.publicKey)).toString("hex") },
  unreadable: xrplBytes({ flags: 0x0002_0000 }),
});
const XRPL_OF = {
  ECDSA: ofXrpl("ECDSA", XRPL_KEY, XRPL_SENDER),
  EDWARDS: ofXrpl("FROST-Ed25519", XRPL_EDWARDS_KEY, XRPL_EDWARDS_SENDER),
};
const SOLANA: Case = {
  entry: SOLANA_DEVNET,
  scheme: "FROST-Ed25519",
  key: SOLANA_KEY,
  address: SOLANA_SENDER,
  given: solanaBytes(),
  // with a lookup table
  unreadable: `${solanaBytes().slice(0, -2)}01`,
};
const CASES: readonly (readonly [string, Case])[] = [
  [
    "Algorand",
    {
      entry: ALGORAND_TESTNET,
      scheme: "FROST-Ed25519",
      key: ALGORAND_KEY,
      address: ALGORAND_SENDER,
      given: algorandBytes(),
      unreadable: algorandBytes({ note: Uint8Array.of(1) }),
    },
  ],
  ["Solana", SOLANA],
  [
    "Stellar",
    {
      entry: STELLAR_TESTNET,
      scheme: "FROST-Ed25519",
      key: STELLAR_KEY,
      address: STELLAR_SENDER,
      given: stellarBytes(),
      // signed already
      unreadable: `${stellarBytes().slice(0, -2)}01`,
    },
  ],
  [
    "TRON",
    {
      entry: TRON_NILE,
      scheme: "ECDSA",
      key: TRON_KEY,
      address: TRON_SENDER,
      given: tronBytes(),
      // with a note
      unreadable: `${tronBytes()}52026869`,
    },
  ],
  ["the XRP Ledger", { ...XRPL_OF.ECDSA, given: xrplBytes() }],
  ["the XRP Ledger, without its key", { ...XRPL_OF.ECDSA, given: xrplBytesWithoutKey(), whole: xrplBytes() }],
  ["the XRP Ledger, of Ed25519", { ...XRPL_OF.EDWARDS, given: xrplBytes(XRPL_EDWARDS_DRAFT) }],
  [
    "the XRP Ledger, of Ed25519 without its key",
    {
      ...XRPL_OF.EDWARDS,
      given: xrplBytesWithoutKey(XRPL_EDWARDS_DRAFT),
      whole: xrplBytes(XRPL_EDWARDS_DRAFT),
    },
  ],
];

const taskOf = ({ entry, scheme, key, beside }: Case, transaction: string) =>
  signatureTaskOf({
    entry,
    scheme,
    publicKey: key.publicKey,
    content: { kind: "transaction", transaction: transaction.slice(2), ...beside },
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
    const family = FAMILIES.familyOf(of.entry.network);
    const unsigned = Buffer.from((of.whole ?? of.given).slice(2), "hex");
    const attached = family.attach(unsigned, [signature], [of.key.publicKey], of.entry);
    if (!finished.ok || !attached.ok) expect.fail("it is signed");
    expect(finished.value.signedData).toBe(`0x${Buffer.from(attached.value.signed).toString("hex")}`);
    expect(family.addressOf(networkSchema.parse(of.entry.network), of.key.publicKey)).toBe(of.address);
    if (signature.scheme !== "CGGMP24") {
      expect(finished.value.signature.encoded).toBe(`0x${Buffer.from(signature.bytes).toString("hex")}`);
    }
    if (of.entry === TRON_NILE) {
      // clients expect r, s and 27 or 28, as the chain does
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
