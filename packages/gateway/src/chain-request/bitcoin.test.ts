import { FAMILIES } from "@conclave/chains";
import { NODES } from "@conclave/chains/node";
import {
  BITCOIN_KEY,
  BITCOIN_RECIPIENT,
  BITCOIN_SENDER,
  BITCOIN_SIGNET,
  outputTo,
  psbtHex,
  samplePsbt,
  TAPROOT_KEY,
} from "@conclave/chains/testing";
import {
  authorisedActSchema,
  authorisedSignatureSchema,
  type KeyScheme,
  signatureIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import { type RunningLedger, startBitcoinLedger } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { readSignature, readTransfer } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { activateKey } from "../testing/activate-key.ts";
import { errorOf, transferOf } from "../testing/bodies.ts";
import { ADDRESS, startWorld, type World } from "../testing/world.ts";

const { network } = BITCOIN_SIGNET;
const START_MS = 1_795_132_800_000;
const MAIN_NET = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const P2PKH = "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn";

let world: World;
let ledger: RunningLedger;
let wallet: { readonly id: string; readonly address: string };
let path: string;

const admin = (action: string, input: object = {}) => commandLedger(ledger, action, input);
const walletSchema = z.object({ id: z.string(), address: z.string() });
const enterWallet = async (scheme: KeyScheme, publicKey: Uint8Array) => {
  const { body } = await world.call("POST", "/wallets", {
    network,
    signingKey: { id: await activateKey(world, scheme, publicKey) },
  });
  return walletSchema.parse(body);
};

beforeAll(async () => {
  ledger = await startBitcoinLedger({
    clock: new HandClock(START_MS),
    chain: "signet",
    seed: "tests",
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const view = z.object({ genesisHash: z.string() }).parse(await (await fetch(ledger.adminUrl)).json());
  const [entry] = FAMILIES.networksSchema.parse([{ ...BITCOIN_SIGNET, ...view, bitcoindUrl: ledger.url }]);
  if (entry === undefined) throw new Error("the network is not enabled");
  world = await startWorld({ further: { family: FAMILIES.familyOf(network), node: NODES.connect(entry) } });
  wallet = await enterWallet("ECDSA", BITCOIN_KEY.publicKey);
  path = `/wallets/${wallet.id}`;
});
afterAll(async () => {
  await world.stop();
  await ledger.stop();
});

const codeOf = ({ status, body }: { readonly status: number; readonly body: unknown }) => [
  status,
  errorOf(body).details.code,
];
const native = { kind: "Native", to: BITCOIN_RECIPIENT, amount: "120000" };
const send = (body: object) => world.call("POST", `${path}/transfers`, body);
const broadcast = (change: Parameters<typeof psbtHex>[0] = {}) =>
  world.call("POST", `${path}/transactions`, { kind: "Psbt", psbt: psbtHex(change) });
const sign = (change: Parameters<typeof psbtHex>[0] = {}, from = path) =>
  world.call("POST", `${from}/signatures`, { kind: "Psbt", psbt: psbtHex(change) });

describe("a wallet on Bitcoin", () => {
  it("has the address of its ECDSA key, or of its Taproot key", async () => {
    expect(wallet.address).toBe(BITCOIN_SENDER);
    expect((await enterWallet("FROST-Taproot", TAPROOT_KEY.publicKey)).address).toBe(TAPROOT_KEY.address);
  });

  it("INV-9 has no key that signs untweaked, nor one of Ed25519", async () => {
    for (const scheme of ["FROST-BIP340", "FROST-Ed25519"] as const) {
      const id = await activateKey(world, scheme, new Uint8Array(32).fill(scheme.length));
      const answer = await world.call("POST", "/wallets", { network, signingKey: { id } });
      expect(codeOf(answer)).toEqual([400, "KeyFormatMismatch"]);
    }
  });

  it("shows what it holds, and no tokens", async () => {
    await admin("fund", { address: BITCOIN_SENDER, amount: 250_000 });
    await admin("mine");
    expect((await world.call("GET", `${path}/assets`)).body).toMatchObject({
      assets: [{ kind: "Native", symbol: "tBTC", decimals: 8, balance: "250000" }],
    });
    expect((await world.call("GET", `${path}/nfts`)).body).toMatchObject({ nfts: [] });
  });
});

describe("what transactions cost on Bitcoin", () => {
  it("is shown by priority, in satoshis a virtual byte", async () => {
    await admin("set-fees", { young: true });
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

describe("a transfer on Bitcoin", () => {
  it.each([undefined, "Slow", "Standard", "Fast"])("of priority %s is authorised", async (priority) => {
    const { status, body } = await send({ ...native, ...(priority === undefined ? {} : { priority }) });
    expect([status, body]).toMatchObject([
      200,
      { network, status: "Pending", metadata: { asset: { symbol: "tBTC", decimals: 8, verified: true } } },
    ]);
    const stored = await readTransfer(world.database, transferIdSchema.parse(transferOf(body).id));
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised"));
    expect(authorisedActSchema.parse(JSON.parse(text.toString()))).toMatchObject({
      network,
      transfer: { kind: "Native", from: BITCOIN_SENDER, to: BITCOIN_RECIPIENT, amount: "120000" },
    });
  });

  it.each([
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
  ])("INV-9 is refused with %s, and changes nothing: %j", async (code, body) => {
    const before = await world.rows();
    expect(codeOf(await send(body))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });
});

const [first, second] = samplePsbt().inputs;
if (first === undefined || second === undefined) throw new Error("the sample has two inputs");
/** Bytes that signers do not sign. */
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

describe("a PSBT of a caller's making", () => {
  it("is accepted as it is", async () => {
    const { status, body } = await broadcast();
    expect([status, body]).toMatchObject([200, { network, requestBody: { kind: "Psbt" } }]);
  });

  it.each([
    ...REFUSED.map(([name, change]) => ["TransactionInvalid", name, change] as const),
    ...UNREADABLE.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
  ])("INV-9 is refused with %s when it is one %s, and changes nothing", async (code, _, change) => {
    const before = await world.rows();
    expect(codeOf(await broadcast(change))).toEqual([400, code]);
    expect(await world.rows()).toBe(before);
  });

  it("INV-9 is refused when it costs more than the network's cap, or comes by another template", async () => {
    const outputs = [outputTo(BITCOIN_RECIPIENT, 99_999n)];
    expect(codeOf(await broadcast({ outputs }))).toEqual([422, "FeeAboveCap"]);
    for (const body of [
      { kind: "Transaction", transaction: psbtHex() },
      { kind: "Evm", to: ADDRESS, value: "1" },
    ]) {
      const answer = await world.call("POST", `${path}/transactions`, body);
      expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
    }
  });

  it("INV-9 is none on another family's network", async () => {
    const { body } = await world.call("POST", "/wallets", {
      network: "EthereumSepolia",
      signingKey: { id: await activateKey(world, "ECDSA", BITCOIN_KEY.publicKey) },
    });
    const other = `/wallets/${walletSchema.parse(body).id}`;
    const answer = await world.call("POST", `${other}/transactions`, { kind: "Psbt", psbt: psbtHex() });
    expect(codeOf(answer)).toEqual([400, "TransactionKindNotSupported"]);
    expect(codeOf(await sign({}, other))).toEqual([400, "SignatureKindNotSupported"]);
  });
});

describe("what waits on Bitcoin", () => {
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
      froms: [wallet.address],
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
  it("INV-3 is authorised whole, for the key's own coins, for signers to read", async () => {
    const { status, body } = await sign();
    expect(status).toBe(200);
    const id = signatureIdSchema.parse(z.object({ id: z.string() }).parse(body).id);
    const stored = await readSignature(world.database, id);
    const text = Buffer.from(stored?.authorisation?.payload ?? expect.fail("it is not authorised"));
    expect(authorisedSignatureSchema.parse(JSON.parse(text.toString()))).toMatchObject({
      scheme: "ECDSA",
      walletId: wallet.id,
      content: {
        kind: "readable",
        family: "Bitcoin",
        content: { kind: "psbt", network, from: BITCOIN_SENDER, psbt: psbtHex().slice(2) },
      },
    });
  });

  it("is given by a Taproot wallet as well, of its own coins alone", async () => {
    const taproot = await enterWallet("FROST-Taproot", TAPROOT_KEY.publicKey);
    const at = `/wallets/${taproot.id}`;
    const { inputs, outputs } = samplePsbt({}, TAPROOT_KEY.address);
    expect((await sign({ inputs, outputs }, at)).status).toBe(200);
    expect(codeOf(await sign({}, at))).toEqual([400, "InvalidBody"]);
  });

  it.each([
    ...REFUSED.map(([name, change]) => ["InvalidBody", name, change] as const),
    ...UNREADABLE.map(([name, change]) => ["TransactionUnreadable", name, change] as const),
  ])("INV-9 is refused with %s when it is one %s", async (code, _, change) => {
    expect(codeOf(await sign(change))).toEqual([400, code]);
  });
});

describe("INV-8 policies on Bitcoin", () => {
  const under = async <T>(rule: object, work: () => Promise<T>): Promise<T> => {
    const { body } = await world.call("POST", "/v2/policies", {
      name: "test",
      activityKind: "Wallets:Sign",
      rule,
      action: { kind: "Block" },
    });
    try {
      return await work();
    } finally {
      await world.call("DELETE", `/v2/policies/${z.object({ id: z.string() }).parse(body).id}`, {});
    }
  };
  const statusOf = async (asked: Promise<{ readonly body: unknown }>): Promise<string> =>
    z.object({ status: z.string() }).parse((await asked).body).status;

  it("compare recipients of transfers and of a caller's own PSBT; change is nobody's", async () => {
    const configuration = { addresses: [BITCOIN_RECIPIENT.toUpperCase()] };
    await under({ kind: "TransactionRecipientWhitelist", configuration }, async () => {
      expect(await statusOf(send({ ...native, amount: "8000" }))).toBe("Pending");
      expect(await statusOf(send({ ...native, to: P2PKH, amount: "8000" }))).toBe("Rejected");
      expect(await statusOf(broadcast({ lockTime: 7 }))).not.toBe("Rejected");
      const outputs = [...samplePsbt().outputs.slice(0, 1), outputTo(P2PKH, 70_000n)];
      expect(await statusOf(broadcast({ outputs }))).toBe("Rejected");
      expect(await statusOf(sign({ outputs }))).toBe("Rejected");
    });
  });
});
