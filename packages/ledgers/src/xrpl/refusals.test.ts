import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decode, ECDSA, encode, type Payment } from "xrpl";
import { signAnything, startXrplWorld, testWallet, type XrplWorld } from "../testing/xrpl-world.ts";

const [ALICE, BOB, CAROL] = [testWallet(1), testWallet(2), testWallet(3, ECDSA.ed25519)];
const NOBODY = "rrrrrrrrrrrrrrrrrrrrrhoLvTp";
const ISSUED = { currency: "USD", value: "1", issuer: BOB.address };

let world: XrplWorld;

beforeEach(async () => {
  world = await startXrplWorld();
  await world.fund(ALICE, 100_000_000);
  await world.fund(BOB, 100_000_000);
  await world.fund(CAROL, 100_000_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const payment = (from = ALICE): Payment => ({
  TransactionType: "Payment",
  Account: from.address,
  Destination: BOB.address,
  Amount: "1000000",
});

/** An honest, signed payment. */
const signedPayment = async (from = ALICE) => {
  const { tx_blob } = await world.signed(payment(from), from);
  const prepared = await world.client.autofill(payment(from));
  return {
    ...prepared,
    SigningPubKey: from.publicKey,
    TxnSignature: `${decode(tx_blob)["TxnSignature"]}`,
  };
};

/** The node's error for bytes that do not reach its engine. */
const invalid = async (tx_blob: string): Promise<unknown> => {
  const answer = await world.rpc("submit", { tx_blob });
  expect(answer["engine_result"]).toBe(undefined);
  return answer["error_exception"] ?? answer["error"];
};

describe("the engine refuses a transaction", () => {
  it.each<[string, object, string]>([
    ["without the network's id", { NetworkID: undefined }, "telREQUIRES_NETWORK_ID"],
    ["of another network", { NetworkID: 20_262 }, "telWRONG_NETWORK"],
    ["with a sequence number that was used", { Sequence: 1 }, "tefPAST_SEQ"],
    ["with a sequence number that comes later", { Sequence: 9 }, "terPRE_SEQ"],
    ["whose last ledger is over", { LastLedgerSequence: 4 }, "tefMAX_LEDGER"],
    ["that pays less than the base fee", { Fee: "9" }, "telINSUF_FEE_P"],
    ["whose fee its account does not have", { Fee: "100000001" }, "terINSUF_FEE_B"],
    ["that pays its fee in an issued currency", { Fee: ISSUED }, "temBAD_FEE"],
    ["of nothing", { Amount: "0" }, "temBAD_AMOUNT"],
    ["to its own account", { Destination: ALICE.address }, "temREDUNDANT"],
    ["to nobody", { Destination: NOBODY }, "temDST_NEEDED"],
    ["with a flag that there is not", { Flags: 1 }, "temINVALID_FLAG"],
    ["that may pay in part, in XRP", { Flags: 0x0002_0000 }, "temBAD_SEND_XRP_PARTIAL"],
    ["that limits the quality of XRP", { Flags: 0x0004_0000 }, "temBAD_SEND_XRP_LIMIT"],
    ["that forbids the direct way of XRP", { Flags: 0x0001_0000 }, "temBAD_SEND_XRP_NO_DIRECT"],
    ["with a most to send in XRP", { SendMax: "2000000" }, "temBAD_SEND_XRP_MAX"],
    ["with a least to deliver in XRP", { DeliverMin: "1" }, "temBAD_AMOUNT"],
    ["with two turns", { TicketSequence: 3 }, "temSEQ_AND_TICKET"],
    ["with a ticket that was never made", { Sequence: 0, TicketSequence: 1 }, "tefNO_TICKET"],
    ["with a ticket that may come later", { Sequence: 0, TicketSequence: 1_000 }, "terPRE_TICKET"],
    ["behind another one than the last", { AccountTxnID: "A".repeat(64) }, "tefWRONG_PRIOR"],
    [
      "with a ticket, behind another",
      { Sequence: 0, TicketSequence: 1, AccountTxnID: "A".repeat(64) },
      "temINVALID",
    ],
    ["that makes an account with too little", { Amount: "999999" }, "tecNO_DST_INSUF_XRP"],
    ["that leaves less than the reserve", { Amount: "99000001" }, "tecUNFUNDED_PAYMENT"],
  ])("%s", async (_, change, result) => {
    expect(await world.sendAnything(change, ALICE)).toBe(result);
  });

  it.each<[string, string, string, string]>([
    ["that pays more than there is", "68400000000000000C", "68416345785D8A0001", "temBAD_FEE"],
    ["that pays less than nothing", "68400000000000000C", "680000000000000001", "temBAD_FEE"],
    ["of more than there is", "6140000000000F4240", "61416345785D8A0001", "temBAD_AMOUNT"],
    ["of less than nothing", "6140000000000F4240", "610000000000000001", "temBAD_AMOUNT"],
  ])("%s, which no client signs", async (_, honest, dishonest, result) => {
    const bytes = (hex: string): string => hex.replace(honest, dishonest);
    const prepared = await world.client.autofill(payment());
    expect(await world.submit(signAnything(prepared, ALICE, { bytes }))).toBe(result);
  });

  it("of an account that there is not", async () => {
    const change = { Account: testWallet(50).address };
    expect(
      await world.sendAnything({ ...change, Sequence: 1, Fee: "12", LastLedgerSequence: 20 }, ALICE),
    ).toBe("terNO_ACCOUNT");
  });

  it("of nobody", async () => {
    expect(await world.sendAnything({ Account: NOBODY, Sequence: 1, Fee: "12" }, ALICE)).toBe(
      "temBAD_SRC_ACCOUNT",
    );
  });

  it("that another account's key signed", async () => {
    expect(await world.sendAnything({ Account: BOB.address, Sequence: 3 }, ALICE)).toBe("tefBAD_AUTH");
  });

  it("that names a network where transactions name none", async () => {
    await using main = await startXrplWorld({ chain: "0" });
    await main.fund(ALICE, 100_000_000);
    expect(await main.sendAnything({ NetworkID: 0 }, ALICE)).toBe("telNETWORK_ID_MAKES_TX_NON_CANONICAL");
    expect(await main.sendAnything({}, ALICE)).toBe("tesSUCCESS");
  });

  it("whose last ledger has passed, but not one whose last ledger is the next", async () => {
    const last = { LastLedgerSequence: 5 };
    expect(await world.sendAnything(last, ALICE)).toBe("tesSUCCESS");
    await world.mine();
    expect(await world.sendAnything(last, ALICE)).toBe("tefMAX_LEDGER");
  });

  it("that is in the open ledger already, or whose sequence number is used", async () => {
    const { tx_blob } = await world.signed(payment(), ALICE);
    expect([await world.submit(tx_blob), await world.submit(tx_blob)]).toEqual(["tesSUCCESS", "tefALREADY"]);
    await world.mine();
    expect(await world.submit(tx_blob)).toBe("tefPAST_SEQ");
  });
});

describe("the cost of a transaction that fails", () => {
  it.each([
    ["nothing before its turn or after its time", { LastLedgerSequence: 4 }, "100000000", 2],
    ["its fee and its number, if a ledger claims it", { Amount: "999999" }, "99999988", 3],
  ])("%s", async (_, change, balance, sequence) => {
    await world.sendAnything(change, ALICE);
    await world.mine();
    const { result } = await world.client.request({
      command: "account_info",
      account: ALICE.address,
      ledger_index: "validated",
    });
    expect(result.account_data).toMatchObject({ Balance: balance, Sequence: sequence });
  });

  it("stands in the ledger, and says that nothing was delivered", async () => {
    const blob = signAnything(await world.client.autofill({ ...payment(), Amount: "99500000" }), ALICE);
    const { result } = await world.client.request({ command: "submit", tx_blob: blob });
    expect(result).toMatchObject({
      engine_result: "tecUNFUNDED_PAYMENT",
      engine_result_code: 104,
      applied: true,
    });
    await world.mine();
    const found = await world.rpc("tx", { transaction: result.tx_json.hash, api_version: 2 });
    expect(found).toMatchObject({ validated: true, meta: { TransactionResult: "tecUNFUNDED_PAYMENT" } });
    expect(found["meta"]).not.toHaveProperty("delivered_amount");
  });

  it("costs nothing if the sender asked for fail_hard", async () => {
    const blob = signAnything(await world.client.autofill({ ...payment(), Amount: "99500000" }), ALICE);
    const answer = await world.rpc("submit", { tx_blob: blob, fail_hard: true });
    expect(answer).toMatchObject({ engine_result: "tecUNFUNDED_PAYMENT", applied: false, kept: false });
    await world.mine();
    expect(await world.balance(ALICE)).toBe("100000000");
  });
});

describe("an act that this ledger does not carry out is refused by its name", () => {
  it.each<[string, object, string]>([
    ["another type", { TransactionType: "AccountDelete" }, "transactions of type AccountDelete"],
    [
      "an offer",
      { TransactionType: "OfferCreate", TakerGets: "1", TakerPays: ISSUED },
      "transactions of type OfferCreate",
    ],
    ["an issued currency", { Amount: ISSUED }, "payments of issued currencies and tokens"],
    [
      "a token",
      { Amount: { mpt_issuance_id: "00000001".repeat(6), value: "1" } },
      "payments of issued currencies and tokens",
    ],
    ["a most to send that is issued", { SendMax: ISSUED }, "payments of issued currencies and tokens"],
    ["paths", { Paths: [[{ account: BOB.address }]] }, "paths of issued currencies (the field Paths)"],
    ["credentials", { CredentialIDs: ["A".repeat(64)] }, "credentials (the field CredentialIDs)"],
    ["a delegate", { Delegate: BOB.address }, "delegated permissions (the field Delegate)"],
    [
      "several signers",
      { Signers: [{ Signer: { Account: BOB.address, SigningPubKey: "", TxnSignature: "" } }] },
      "multisignatures (the field Signers)",
    ],
  ])("%s", async (_, change, what) => {
    const blob = signAnything(await world.client.autofill(payment()), ALICE, { change });
    const answer = await world.rpc("submit", { tx_blob: blob });
    expect(answer).toMatchObject({
      engine_result: "temDISABLED",
      engine_result_message: `this simulated ledger does not carry out ${what}`,
    });
  });
});

describe("bytes are no transaction", () => {
  const signed = async (): Promise<string> => (await world.signed(payment(), ALICE)).tx_blob;

  it.each<[string, (blob: string) => string, string]>([
    ["with a byte behind the end", (blob) => `${blob}00`, "invalid SerialIter get"],
    ["with a byte missing", (blob) => blob.slice(0, -2), "invalid SerialIter get"],
    [
      "without a field that they need",
      (blob) => blob.replace(/68400000000000000C/, ""),
      "Field 'Fee' is required",
    ],
    ["with a field twice", (blob) => `${blob.slice(0, 6)}${blob}`, "Duplicate field detected"],
    ["with a field that nobody knows", (blob) => `${blob}EC`, "Unknown field"],
    ["with a field of another type", (blob) => `${blob}00101005`, "found in disallowed location"],
    ["of a type that nobody knows", (blob) => `12FFFF${blob.slice(6)}`, "Invalid transaction type"],
    ["with an array of no objects", (blob) => `${blob}F97D01AAF1`, "Non-object in array"],
    ["that nest too deep", (blob) => `${blob}F9${"EA".repeat(12)}`, "Maximum nesting depth"],
    ["with a length that there is not", (blob) => `${blob}F9EA7DFF`, "Invalid VL length"],
    ["with an account of 19 bytes", (blob) => blob.replace("8114", "8113"), "Invalid STAccount size"],
    [
      "with a negative zero",
      (blob) => blob.replace("6140000000000F4240", "610000000000000000"),
      "negative zero is not canonical",
    ],
    ["that are too few", (blob) => blob.slice(0, 62), "Transaction length invalid"],
    ["that are too many", (blob) => `${blob}${"00".repeat(33_000)}`, "invalidParams"],
    ["that are no hex", () => "not hex", "invalidParams"],
  ])("%s", async (_, change, words) => {
    expect(await invalid(change(await signed()))).toContain(words);
  });

  it("whose fields stand in another order", async () => {
    const blob = await signed();
    const [type, network] = [blob.slice(0, 6), blob.slice(6, 16)];
    expect(await invalid(`${network}${type}${blob.slice(16)}`)).toContain("not the canonical order");
  });

  it("that write a field's number in a longer form", async () => {
    const blob = await signed();
    expect(await invalid(`1002${blob.slice(2)}`)).toBe("the encoding is not canonical");
  });
});

describe("a signature is refused", () => {
  const WORDS = "fails local checks: Invalid signature.";

  it("that is missing", async () => {
    const { TxnSignature: _, ...unsigned } = await signedPayment();
    expect(await invalid(encode(unsigned))).toBe(WORDS);
  });

  it.each([
    ["secp256k1", ALICE],
    ["Ed25519", CAROL],
  ])("of %s over other bytes", async (_, wallet) => {
    const transaction = await signedPayment(wallet);
    expect(await invalid(encode({ ...transaction, Amount: "1000001" }))).toBe(WORDS);
  });

  it("of another key", async () => {
    const transaction = await signedPayment();
    expect(await invalid(encode({ ...transaction, SigningPubKey: BOB.publicKey }))).toBe(WORDS);
  });

  it("of a key that is none", async () => {
    const transaction = await signedPayment();
    expect(await invalid(encode({ ...transaction, SigningPubKey: "05".repeat(33) }))).toBe(WORDS);
  });

  it("whose s is the higher of the two", async () => {
    const transaction = await signedPayment();
    const { r, s } = secp256k1.Signature.fromBytes(hexToBytes(transaction.TxnSignature), "der");
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s);
    const TxnSignature = bytesToHex(high.toBytes("der")).toUpperCase();
    expect(await invalid(encode({ ...transaction, TxnSignature }))).toBe(WORDS);
  });

  it("whose DER is longer than it needs to be", async () => {
    const transaction = await signedPayment();
    const der = transaction.TxnSignature;
    const length = (Number.parseInt(der.slice(2, 4), 16) + 1).toString(16);
    const rest = (Number.parseInt(der.slice(6, 8), 16) + 1).toString(16);
    const padded = `30${length}02${rest}00${der.slice(8)}`;
    expect(await invalid(encode({ ...transaction, TxnSignature: padded.toUpperCase() }))).toBe(WORDS);
  });

  it("of Ed25519 whose s is not reduced", async () => {
    const transaction = await signedPayment(CAROL);
    const signature = hexToBytes(transaction.TxnSignature);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = signature.slice(32).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) + order;
    const bytes = Array.from({ length: 32 }, (_, at) => Number((s >> BigInt(8 * at)) & 255n));
    const TxnSignature = bytesToHex(Uint8Array.from([...signature.slice(0, 32), ...bytes])).toUpperCase();
    expect(await invalid(encode({ ...transaction, TxnSignature }))).toBe(WORDS);
  });
});

describe("memos", () => {
  const memo = (MemoData: string, MemoType?: string): object => ({
    Memos: [{ Memo: { MemoData, MemoType } }],
  });
  const submitted = async (change: object) =>
    world.rpc("submit", {
      tx_blob: signAnything(await world.client.autofill(payment()), ALICE, { change }),
    });

  it("travel with a transaction, and are shown as they were sent", async () => {
    const answer = await submitted(memo("C0FFEE", "74657374"));
    expect(answer).toMatchObject({
      engine_result: "tesSUCCESS",
      tx_json: { Memos: [{ Memo: { MemoData: "C0FFEE", MemoType: "74657374" } }] },
    });
  });

  it("of more than a kilobyte are refused", async () => {
    expect((await submitted(memo("AB".repeat(1_014))))["engine_result"]).toBe("tesSUCCESS");
    expect((await submitted(memo("AB".repeat(1_100))))["error_exception"]).toBe(
      "fails local checks: The memo exceeds the maximum allowed size.",
    );
  });

  it("with anything else in them are refused", async () => {
    const change = { Memos: [{ Memo: { MemoData: "AB", Domain: "AB" } }] };
    expect((await submitted(change))["error_exception"]).toBe(
      "fails local checks: A memo may contain only MemoType, MemoData or MemoFormat fields.",
    );
  });

  it("whose type has characters that URLs do not have are refused", async () => {
    expect((await submitted(memo("AB", "0001")))["error_exception"]).toContain("RFC 3986");
  });
});
