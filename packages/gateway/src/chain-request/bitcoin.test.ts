import {
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  outputTo,
  psbtHex,
  samplePsbt,
  TAPROOT_KEY,
} from "@conclave/chains/testing";
import { openScriptedLedger, type ScriptedLedger, WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { activateKey } from "../testing/activate-key.ts";
import { transferOf } from "../testing/bodies.ts";
import { describeExactBytes, PASSES } from "../testing/exact-bytes-suite.ts";
import { codeOf, type FamilyWorld, startFamilyWorld, walletOfKey } from "../testing/family-world.ts";
import { ADDRESS, type World } from "../testing/world.ts";

const sample = WALLET_SAMPLES.Bitcoin;
const { native } = sample;
const MAIN_NET = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const P2PKH = "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn";

let family: FamilyWorld;
let world: World;
let network: string;
let path: string;
let ledger: ScriptedLedger;

beforeAll(async () => {
  ledger = await openScriptedLedger("Bitcoin", "signet");
  await ledger.fund(BITCOIN_SENDER, 250_000);
  family = await startFamilyWorld(sample, ledger.url);
  ({ world, network, path } = family);
});
afterAll(async () => {
  await world.stop();
  await ledger.stop();
});

const { send, broadcast, sign } = {
  send: (body: object) => family.send(body),
  broadcast: (change: Parameters<typeof psbtHex>[0] = {}) => family.broadcast(psbtHex(change)),
  sign: (change: Parameters<typeof psbtHex>[0] = {}, from = path) =>
    family.sign(family.bodyOf(psbtHex(change)), from),
};

const [first, second] = samplePsbt().inputs;
if (first === undefined || second === undefined) throw new Error("the sample has two inputs");
/** PSBTs that signers refuse. */
const REFUSED: readonly (readonly [string, Parameters<typeof psbtHex>[0]])[] = [
  ["whose coin is not proved", { inputs: [{ ...first, previous: undefined }, second] }],
  ["that signs less than all", { inputs: [{ ...first, sighashType: 0x83 }, second] }],
  [
    "of a coin of somebody else",
    { inputs: [first, { ...second, previous: undefined, coin: outputTo(BITCOIN_RECIPIENT, 5n) }] },
  ],
];
const UNREADABLE: readonly (readonly [string, Parameters<typeof psbtHex>[0]])[] = [
  ["that pays nobody", { outputs: [] }],
  ["that pays to no address", { outputs: [{ amount: 0n, script: Uint8Array.of(0x6a) }] }],
  ["that spends a coin twice", { inputs: [first, first] }],
  ["that pays more than it spends", { outputs: [outputTo(BITCOIN_RECIPIENT, 200_001n)] }],
];
const named = (code: string, listed: typeof REFUSED) =>
  listed.map(([title, change]) => [code, title, psbtHex(change)] as const);
const PAYS_ELSEWHERE = psbtHex({
  outputs: [...samplePsbt().outputs.slice(0, 1), outputTo(P2PKH, 70_000n)],
});

describeExactBytes({
  sample,
  family: () => family,
  otherKey: { scheme: "EdDSA", curve: "ed25519" },
  transfers: [undefined, "Slow", "Standard", "Fast"].map((priority) => ({
    title: `the native coin of priority ${priority}`,
    body: { ...native, ...(priority === undefined ? {} : { priority }) },
    asset: { symbol: "tBTC", decimals: 8, verified: true },
    content: { ...native, from: BITCOIN_SENDER },
  })),
  refusedTransfers: [
    ["AmountInvalid", { ...native, amount: "0" }],
    ["AmountInvalid", { ...native, amount: "293" }],
    ["AmountInvalid", { ...native, to: P2PKH, amount: "545" }],
    ["AmountInvalid", { ...native, to: TAPROOT_KEY.address, amount: "329" }],
    ["AmountInvalid", { ...native, amount: "2100000000000001" }],
    ["AmountInvalid", { ...native, amount: "0.5" }],
    ["AddressInvalid", { ...native, to: MAIN_NET }],
    ["AddressInvalid", { ...native, to: ADDRESS }],
    ["AddressChecksum", { ...native, to: `${BITCOIN_RECIPIENT.slice(0, -1)}q` }],
    ["MemoNotSupported", { ...native, memo: "7" }],
    ["InvalidBody", { ...native, feeRate: "5" }],
    ["TransferKindNotSupported", { kind: "Erc20", contract: ADDRESS, to: BITCOIN_RECIPIENT, amount: "1" }],
  ],
  bytes: [["as it is", psbtHex()]],
  refusedBytes: [...named("TransactionInvalid", REFUSED), ...named("TransactionUnreadable", UNREADABLE)],
  dearBytes: psbtHex({ outputs: [outputTo(BITCOIN_RECIPIENT, 99_999n)] }),
  refusedSignatures: [...named("InvalidBody", REFUSED), ...named("TransactionUnreadable", UNREADABLE)],
  settled: [],
  holdings: [{ kind: "Native", symbol: "tBTC", decimals: 8, balance: "250000" }],
  hasPriorities: true,
  isReplaceable: true,
  whitelist: {
    title: "change is nobody's",
    addresses: [BITCOIN_RECIPIENT.toUpperCase()],
    transfers: [
      [{ ...native, amount: "8000" }, "Pending"],
      [{ ...native, to: P2PKH, amount: "8000" }, "Rejected"],
    ],
    bytes: [
      [psbtHex({ lockTime: 7 }), PASSES],
      [PAYS_ELSEWHERE, "Rejected"],
    ],
    signatures: [[{ kind: "Psbt", psbt: PAYS_ELSEWHERE }, "Rejected"]],
  },
});

describe("a wallet on Bitcoin", () => {
  it("has the address of its Taproot key", async () => {
    const { address } = await walletOfKey(world, network, "FROST-Taproot", TAPROOT_KEY.publicKey);
    expect(address).toBe(TAPROOT_KEY.address);
  });

  it("INV-9 has no key that signs untweaked, nor one of Ed25519", async () => {
    for (const scheme of ["FROST-BIP340", "FROST-Ed25519"] as const) {
      const id = await activateKey(world, scheme, new Uint8Array(32).fill(scheme.length));
      const answer = await world.call("POST", "/wallets", { network, signingKey: { id } });
      expect(codeOf(answer)).toEqual([400, "KeyFormatMismatch"]);
    }
  });
});

describe("the cost of transactions on Bitcoin", () => {
  it("is shown by priority, in satoshis a virtual byte", async () => {
    await ledger.admin("set-fees", { young: true });
    const { status, body } = await world.call("GET", `/networks/fees?network=${network}`);
    expect([status, body]).toMatchObject([
      200,
      {
        kind: "Bitcoin",
        network,
        slow: { feeRate: "2", blockHorizon: 144 },
        standard: { feeRate: "10", blockHorizon: 6 },
        fast: { feeRate: "20", blockHorizon: 1 },
      },
    ]);
  });
});

describe("a PSBT of a caller's making", () => {
  it("INV-9 is none on another family's network", async () => {
    const { id } = await walletOfKey(world, "EthereumSepolia", "ECDSA", BITCOIN_KEY.publicKey);
    const other = `/wallets/${id}`;
    const answer = await world.call("POST", `${other}/transactions`, { kind: "Psbt", psbt: psbtHex() });
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
    expect(codeOf(await sign({}, other))).toEqual([400, "SignatureKindNotSupported"]);
  });
});

describe("a waiting transaction on Bitcoin", () => {
  const broadcasted = (id: string) =>
    world.database.execute(
      `update chain_requests set status = 'Broadcasted', unsigned_transaction = $2, signed_transaction = $2,
       tx_hash = $1 where id = $1`,
      [id, Uint8Array.of(1)],
    );

  it("K1 a PSBT and a cancellation have no speed-up, and say so; the PSBT is cancelled", async () => {
    const { id } = transferOf((await broadcast()).body);
    await broadcasted(id);
    const refusal = { status: 400, body: { error: { details: { code: "TransactionKindNotSupported" } } } };
    const before = await world.rows();
    const act = (of: string, verb: string) => world.call("POST", `${path}/transactions/${of}/${verb}`);
    expect(await act(id, "speed-up")).toMatchObject(refusal);
    expect(await world.rows()).toBe(before);
    const cancelled = await act(id, "cancel");
    expect(cancelled).toMatchObject({ status: 200, body: { requestBody: { kind: "CancelTransaction" } } });
    const cancellation = transferOf(cancelled.body).id;
    await broadcasted(cancellation);
    expect(await act(cancellation, "speed-up")).toMatchObject(refusal);
    expect((await act(id, "speed-up")).status).toBe(409);
    expect((await act(cancellation, "cancel")).status).toBe(200);
  });

  it.each(["speed-up", "cancel"])(
    "INV-4 has its place taken by what is authorised for it: %s",
    async (verb) => {
      const { id } = transferOf((await send({ ...native, amount: "7000" })).body);
      await broadcasted(id);
      const { status, body } = await world.call("POST", `${path}/transfers/${id}/${verb}`);
      const kind = verb === "cancel" ? "CancelTransaction" : "SpeedUpTransaction";
      expect([status, body]).toMatchObject([200, { requestBody: { kind } }]);
    },
  );
});

describe("a history on Bitcoin", () => {
  it("shows that outputs moved, and is searched by that kind", async () => {
    const { id } = transferOf((await send({ ...native, amount: "9000" })).body);
    await world.database.execute(
      `update chain_requests set status = 'Confirmed', unsigned_transaction = $2, signed_transaction = $2,
       tx_hash = $1, block_number = 7, block_hash = 'b', fee = '282', date_confirmed = now() where id = $1`,
      [id, Uint8Array.of(2)],
    );
    const moved = {
      kind: "UtxoTransfer",
      direction: "Out",
      txHash: id,
      froms: [BITCOIN_SENDER],
      tos: [native.to],
      value: "9000",
      fee: "282",
    };
    const history = async (query: string) => (await world.call("GET", `${path}/history${query}`)).body;
    expect(await history("")).toMatchObject({ items: [moved] });
    expect(await history("?kind=UtxoTransfer")).toMatchObject({ items: [moved] });
    expect(await history("?kind=NativeTransfer")).toMatchObject({ items: [] });
  });
});

describe("a signature of a PSBT", () => {
  it("is given by a Taproot wallet as well, of its own coins alone", async () => {
    const taproot = await walletOfKey(world, network, "FROST-Taproot", TAPROOT_KEY.publicKey);
    const at = `/wallets/${taproot.id}`;
    const { inputs, outputs } = samplePsbt({}, TAPROOT_KEY.address);
    expect((await sign({ inputs, outputs }, at)).status).toBe(200);
    expect(codeOf(await sign({}, at))).toEqual([400, "InvalidBody"]);
  });
});
