import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BroadcastOutcome, ChainNode } from "../../chain.ts";
import { codeOf } from "../../testing/answers.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import { describeRefusingNode } from "../../testing/conformance/refusing-suite.ts";
import { CODE, contractOf } from "../../testing/evm/contract-code.ts";
import {
  makeTronTokens,
  openTronLedger,
  type ScriptedTronLedger,
  TRON_TOKENS,
  tronContract,
  tronEntryAt,
} from "../../testing/ledgers/tron-ledger.ts";
import { bodyOf, type Json, nodeAt, ScriptedNode } from "../../testing/scripted-node.ts";
import {
  authorisedTron,
  TRC10_ID,
  TRC20_TRANSFER,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  tronIntent,
  withTronSignature,
} from "../../testing/tron-samples.ts";
import { tronNetworkSchema } from "../network.ts";
import { decodeTron, encodeTron } from "../transaction.ts";
import { tronHead } from "./blocks.ts";
import { tronHexAddress } from "./hex-address.ts";
import { connectTron } from "./http.ts";
import { tronNode } from "./node.ts";

const BLOCK = "/walletsolidity/getblock";
const INFO = "/walletsolidity/gettransactioninfobyid";
/** Longer than a transaction lives, and than blocks need to become solid. */
const BLOCKS_OF_A_LIFE = 200;

let ledger: ScriptedTronLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openTronLedger();
  await makeTronTokens(ledger);
  node = tronNode(tronEntryAt(ledger.node.url));
});
beforeEach(() => {
  ledger.node.reset();
  node = tronNode(tronEntryAt(ledger.node.url));
});
afterAll(() => ledger.stop());

/** Builds and signs a transaction that refers to another block than earlier ones. */
const made = async () => {
  await ledger.mine();
  return withTronSignature(got(await node.build(tronIntent())).unsigned);
};

describeRefusingNode({
  open: async () => {
    const connect = () => tronNode(tronEntryAt(ledger.node.url));
    const own = withTronSignature(got(await connect().build(tronIntent())).unsigned);
    await ledger.mine(BLOCKS_OF_A_LIFE);
    return { scripted: ledger.node, connect, intent: tronIntent(), own, stop: async () => undefined };
  },
  questions: (asked) => [
    () => asked.arrivals?.(5n, async () => new Set()) ?? expect.fail(),
    () => asked.describeToken(TRON_TOKEN),
    () => asked.describeToken(TRC10_ID),
    () => asked.tokenBalance(TRON_SENDER, TRON_TOKEN),
    () => asked.tokenOwner(TRON_TOKEN, 7n),
  ],
  nonsense: [
    ["wants a key", { status: 401, text: '{"Error":"ApiKey not exists"}' }],
    ["has no such call", { status: 404, text: "" }],
    ["says that it failed", { status: 200, text: '{"Error":"class java.lang.NullPointerException : null"}' }],
    [
      "answers with fields of other kinds",
      { status: 200, text: '{"blockID":5,"balance":-1,"id":5,"blockNumber":"x","result":5,"precision":-1}' },
    ],
  ],
  submitting: "/wallet/broadcasthex",
  asking: BLOCK,
  tooManyMib: 17,
  headWithin: (fullNodeUrl, timeoutMs) => tronHead(connectTron({ ...TRON_NILE, fullNodeUrl }, timeoutMs)),
  refusal: (message) => ({ status: 200, text: JSON.stringify({ code: "OTHER_ERROR", message }) }),
});

describe("a node of TRON that does not answer as a node does", () => {
  it("is away when it does not tell a price, or is busy with a call", async () => {
    const prices = (change: (price: Json) => readonly Json[]): void =>
      ledger.node.changes("/wallet/getchainparameters", ({ chainParameter }) => ({
        chainParameter: [...Object(chainParameter)].flatMap((price) =>
          price.key === "getEnergyFee" ? change(price) : [price],
        ),
      }));
    // for a price of zero, nodes give only the name
    prices(({ key }) => [{ key }]);
    expect((await node.build(tronIntent())).ok).toBe(true);
    prices(() => []);
    const built = await node.build(tronIntent());
    expect(!built.ok && built.problem.message).toContain("getEnergyFee");
    ledger.node.reset();
    ledger.node.says("/wallet/triggerconstantcontract", (request) =>
      bodyOf(request)["function_selector"] === "transfer(address,uint256)"
        ? { result: { code: "SERVER_BUSY", message: "" } }
        : undefined,
    );
    const transfer = { ...TRC20_TRANSFER, contract: TRON_TOKENS.trc20 };
    expect(await codeOf(node.build(tronIntent(authorisedTron(transfer))))).toBe("ServiceUnavailable");
  });

  it.each([
    ["of 64 bits", `${2n ** 63n}`],
    ["of a million digits", "9".repeat(1_000_000)],
    ["below zero", "-1"],
    ["with a fraction", "1.5"],
  ])("is away when it tells a number %s", async (_, balance) => {
    const address = tronHexAddress(TRON_SENDER);
    const text = `{"address":"${address}","balance":${balance}}`;
    ledger.node.spoilt.set("/wallet/getaccount", { status: 200, text });
    const reported = await node.balance(TRON_SENDER);
    expect(!reported.ok && reported.problem.code).toBe("ServiceUnavailable");
  });

  it("tells no balance when what it shows is no account, or another one", async () => {
    const other = tronHexAddress(TRON_RECIPIENT);
    for (const text of ['{"status":"ok"}', `{"address":"${other}","balance":5}`]) {
      ledger.node.spoilt.set("/wallet/getaccount", { status: 200, text });
      const reported = await node.balance(TRON_SENDER);
      expect(!reported.ok && reported.problem.code).toBe("ServiceUnavailable");
    }
  });

  it("throws nothing when a token's name, or why it refuses a transaction, is megabytes long", async () => {
    const { signed } = await made();
    const hex = "61".repeat(4_300_000);
    const says = (path: string, body: object) =>
      ledger.node.spoilt.set(path, { status: 200, text: JSON.stringify(body) });
    says("/wallet/getassetissuebyid", { abbr: hex, precision: 6 });
    says("/wallet/broadcasthex", { code: "OTHER_ERROR", message: hex });
    const described = await node.describeToken(TRC10_ID);
    expect(described).toEqual({ ok: true, value: { decimals: 6, verified: false } });
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("INV-10 does not tell its key, which what stands before it repeats", async () => {
    const [path, apiKey] = ["/jsonrpc/sekret-0123456789", "sekret-key-0123456789"];
    const away = tronNode({ ...TRON_NILE, fullNodeUrl: `${ledger.node.url}${path}`, apiKey });
    const words = `Cannot POST ${path}: key ${apiKey}`;
    for (const answer of [
      { status: 500, text: words },
      { status: 200, text: JSON.stringify({ Error: words }) },
    ]) {
      ledger.node.spoilt.set(path, answer);
      const head = await away.head();
      expect(!head.ok && head.problem.message).toContain("Cannot POST /jsonrpc/");
      expect(JSON.stringify(head)).not.toContain("sekret");
    }
  });

  it("INV-10 has no name or password in its address, which no error would keep to itself", () => {
    for (const field of ["fullNodeUrl", "solidityNodeUrl"]) {
      const read = tronNetworkSchema.safeParse({
        ...TRON_NILE,
        [field]: "https://user:secret@node.example/",
      });
      expect(read.error?.issues[0]?.path).toEqual([field]);
      expect(JSON.stringify(read.error?.issues)).not.toContain("secret");
    }
  });

  it("is asked with the key that its entry names, and solid blocks where that says", async () => {
    const solid = new ScriptedNode(nodeAt(ledger.url));
    await solid.start();
    const other = tronNode({
      ...tronEntryAt(`${ledger.node.url}/`),
      solidityNodeUrl: solid.url,
      apiKey: "a key",
    });
    expect((await other.head()).ok).toBe(true);
    await solid.stop();
    expect([ledger.node.asked.at(-1)?.path, solid.asked.map(({ path }) => path)]).toEqual([
      "/wallet/getblock",
      [BLOCK],
    ]);
    expect(solid.asked[0]?.headers["tron-pro-api-key"]).toBe("a key");
  });
});

describe("the answer of a node to a signed transaction", () => {
  const answers = (answer: object): void => ledger.node.says("/wallet/broadcasthex", () => answer);
  let own: Awaited<ReturnType<typeof made>>;
  beforeAll(async () => {
    own = await made();
  });
  const outcomeOf = (code: string, message = "no"): Promise<BroadcastOutcome> => {
    answers({ result: false, txid: "", code, message });
    return node.broadcast(own.signed);
  };
  const MET = {
    result: false,
    txid: "",
    code: "DUP_TRANSACTION_ERROR",
    message: "Transaction already exists.",
  };

  it.each<[BroadcastOutcome["kind"], string]>([
    ["outdated", "TRANSACTION_EXPIRATION_ERROR"],
    ["outdated", "TAPOS_ERROR"],
    ["unacceptable", "SIGERROR"],
    ["refused", "CONTRACT_VALIDATE_ERROR"],
    ["refused", "CONTRACT_EXE_ERROR"],
    ["refused", "BANDWITH_ERROR"],
    ["unacceptable", "TOO_BIG_TRANSACTION_ERROR"],
    ["refused", "SERVER_BUSY"],
    ["refused", "NO_CONNECTION"],
    ["refused", "NOT_ENOUGH_EFFECTIVE_CONNECTION"],
    ["refused", "BLOCK_UNSOLIDIFIED"],
    ["refused", "OTHER_ERROR"],
    ["refused", "A_WORD_OF_TOMORROW"],
  ])("is %s: %s", async (kind, code) => {
    const outcome = await outcomeOf(code, Buffer.from("its words").toString("hex"));
    expect(outcome).toEqual({ kind, reason: expect.stringContaining(`${code}: its words`) });
  });

  it.each<[BroadcastOutcome["kind"], string, string]>([
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "feeLimit must be >= 0 and <= 15000000000"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Invalid toAddress!"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Invalid ownerAddress"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Cannot transfer TRX to yourself."],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Cannot transfer asset to yourself."],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Cannot transfer TRX to a smartContract."],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Cannot transfer asset to smartContract."],
    [
      "unacceptable",
      "CONTRACT_VALIDATE_ERROR",
      "Cannot transfer TRX to a smartContract which version is one. Instead please use TriggerSmartContract ",
    ],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "No contract or not a smart contract"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "Amount must be greater than 0."],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "No asset!"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "cannot call constant method "],
    [
      "unacceptable",
      "OTHER_ERROR",
      "Error: tx 5a contract size should be exactly 1, this is extend feature ,actual :2",
    ],
    ["unacceptable", "OTHER_ERROR", "Error: cannot call constant method"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "contract: TJRab is not in contract store"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "callValue must be >= 0"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "tokenValue must be >= 0"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "tokenId must be > 1000000"],
    ["unacceptable", "CONTRACT_VALIDATE_ERROR", "invalid arguments with tokenValue = 0, tokenId = 5"],
    [
      "unacceptable",
      "CONTRACT_VALIDATE_ERROR",
      "contract type error, expected type [TransferContract], real type [class com.google.protobuf.Any]",
    ],
    [
      "unacceptable",
      "TOO_BIG_TRANSACTION_ERROR",
      "Too big new account transaction, TxId 5a, the size is 1001 bytes, maxTxSize 1000",
    ],
    ["refused", "CONTRACT_VALIDATE_ERROR", "No owner account!"],
    ["refused", "CONTRACT_VALIDATE_ERROR", "a text of tomorrow"],
    ["refused", "CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, balance is not sufficient."],
    ["refused", "CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, no OwnerAccount."],
    ["refused", "CONTRACT_VALIDATE_ERROR", "account [TJRab] does not exist"],
    ["refused", "CONTRACT_VALIDATE_ERROR", "assetBalance is not sufficient."],
    ["refused", "CONTRACT_VALIDATE_ERROR", "assetBalance must be greater than 0."],
    ["refused", "CONTRACT_VALIDATE_ERROR", "Validate TransferAssetActuator error, insufficient fee."],
    ["refused", "BANDWITH_ERROR", "Account resource insufficient error."],
    ["refused", "CONTRACT_EXE_ERROR", "Amount must be greater than 0."],
    ["refused", "OTHER_ERROR", "Error: null"],
  ])("is %s by its words: %s %s", async (kind, code, words) => {
    const hex = Buffer.from(`Contract validate error : ${words}`).toString("hex");
    expect((await outcomeOf(code, hex)).kind).toBe(kind);
    // the other API call gives its message as plain text
    expect((await outcomeOf(code, words)).kind).toBe(kind);
  });

  it("that it has met it before does not hide for an hour that its time is over", async () => {
    const { signed } = await made();
    answers(MET);
    expect((await node.broadcast(signed)).kind).toBe("refused");
    await ledger.mine(BLOCKS_OF_A_LIFE);
    expect((await node.broadcast(signed)).kind).toBe("outdated");
  });

  it("that it has met it before means nothing by itself: it may hide that it is refused", async () => {
    const { signed } = await made();
    answers(MET);
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
    ledger.node.reset();
    // first accepted, then seen again in the pool, then in a block
    for (let times = 0; times < 2; times += 1) {
      expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    }
    await ledger.mine();
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  it("is no success when it names another transaction", async () => {
    const { signed } = await made();
    answers({ result: true, code: "SUCCESS", message: "", txid: "00".repeat(32) });
    expect((await node.broadcast(signed)).kind).toBe("refused");
    ledger.node.reset();
    expect((await node.broadcast(signed)).kind).toBe("accepted");
  });
});

describe("INV-4 a node that lies or has forgotten", () => {
  const lost = async () => {
    const own = await made();
    await ledger.mine(BLOCKS_OF_A_LIFE);
    return own;
  };
  /** A transaction that has landed and expired. */
  const kept = async () => {
    const own = await made();
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    await ledger.mine();
    await ledger.mine(BLOCKS_OF_A_LIFE);
    return own;
  };
  const verdictOf = async (own: Awaited<ReturnType<typeof made>>): Promise<string> => {
    const fate = await node.fateOf(TRON_SENDER, [own]);
    return fate.ok ? fate.value.kind : fate.problem.code;
  };
  const rawOf = ({ block_header }: Json): Json => Object(block_header).raw_data;
  /** Makes the node forget all blocks below this height, except the first one. */
  const forgetsBelow = (height: number): void =>
    ledger.node.changes(BLOCK, (block, request) =>
      bodyOf(request)["id_or_num"] !== "0" && Number(rawOf(block)["number"]) < height ? {} : undefined,
    );
  /** Makes the node show blocks without their transactions. */
  const hidesContents = (): void =>
    ledger.node.changes(BLOCK, (block) => ({ ...block, transactions: undefined }));

  it("gives a verdict once it has every block", async () => {
    expect(await verdictOf(await lost())).toBe("dead");
  });

  it("K11 gives a verdict by its solid blocks alone, however often it takes the same bytes and shows them in its pool", async () => {
    const own = await made();
    ledger.node.says("/wallet/broadcasthex", () => ({ result: true, code: "SUCCESS", txid: own.txHash }));
    ledger.node.says("/wallet/gettransactionfrompending", () => ({ txID: own.txHash }));
    const taken = async () => expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    for (let blocks = 0; blocks < 100; blocks += 20) {
      await taken();
      expect(await verdictOf(own)).toBe("open");
      await ledger.mine(20);
    }
    await ledger.mine(20);
    await taken();
    // the node reports it in its pool, although a solid block is past the expiration
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await verdictOf(own)).toBe("dead");
    await taken();
    expect(await verdictOf(own)).toBe("dead");
  });

  it("gives no verdict when it lacks a block, whatever it answers about the transaction", async () => {
    const own = await lost();
    const { height } = await ledger.last();
    forgetsBelow(height - BLOCKS_OF_A_LIFE / 2);
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    ledger.node.reset();
    expect(await verdictOf(own)).toBe("dead");
  });

  it("finds a transaction in its block that the node tells nothing of", async () => {
    const own = await kept();
    ledger.node.says("/wallet", ({ path }) => (path.includes("gettransaction") ? {} : undefined));
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await verdictOf(own)).toBe("open");
    forgetsBelow((await ledger.last("walletsolidity")).height);
    // the content of a solid block stays true
    expect(await verdictOf(own)).toBe("open");
  });

  it("gives none when it shows other blocks than were asked for, or a block without its transactions", async () => {
    const own = await kept();
    const { height } = await ledger.last("walletsolidity");
    const { answers } = ledger.node;
    // for every recent block, the node answers with its last one
    ledger.node.changes(BLOCK, (block) =>
      Number(rawOf(block)["number"]) > height - BLOCKS_OF_A_LIFE
        ? { ...block, block_header: { raw_data: { ...rawOf(block), number: height } } }
        : undefined,
    );
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    ledger.node.answers = answers;
    hidesContents();
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    ledger.node.answers = answers;
    expect(await verdictOf(own)).toBe("open");
  });

  it("calls a transaction dead whose reference block was forked away", async () => {
    const decoded = decodeTron((await made()).unsigned);
    if (!decoded.ok) expect.fail(decoded.problem.message);
    const forked = encodeTron({ ...decoded.value, refBlockHash: new Uint8Array(8).fill(0xee) });
    const own = withTronSignature(forked);
    await ledger.mine(BLOCKS_OF_A_LIFE);
    forgetsBelow((await ledger.last("walletsolidity")).height);
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    ledger.node.reset();
    expect(await verdictOf(own)).toBe("dead");
  });

  it("is not built for, and gives no verdict, when its solid blocks are of another chain", async () => {
    const own = await lost();
    ledger.node.changes(BLOCK, (block, request) =>
      bodyOf(request)["id_or_num"] === "0" ? { ...block, blockID: "00".repeat(32) } : undefined,
    );
    expect(await codeOf(node.build(tronIntent()))).toBe("ServiceUnavailable");
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
  });

  it("tells nothing when it shows another transaction than was asked for", async () => {
    const { txHash } = await kept();
    expect(await codeOf(node.sight(txHash))).toBe("ok");
    ledger.node.changes(INFO, (info) => ({ ...info, id: "ab".repeat(32) }));
    expect(await codeOf(node.sight(txHash))).toBe("ServiceUnavailable");
  });

  it("finds one in the very first block that is later than its expiration", async () => {
    const own = await made();
    const { details } = got(await node.build(tronIntent()));
    expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    ledger.clock.pass(Number(details["expiration"]) - ledger.clock.now());
    await ledger.mine();
    expect(await node.sight(own.txHash)).toMatchObject({ value: { kind: "included" } });
    await ledger.mine(BLOCKS_OF_A_LIFE);
    expect(await verdictOf(own)).toBe("open");
  });

  it("reads a long window in several looks", async () => {
    const own = await made();
    // after a pause of the chain, blocks are far apart in height and time
    await ledger.admin("mine", { blocks: 500 });
    await ledger.mine(BLOCKS_OF_A_LIFE);
    const verdicts: string[] = [];
    for (let look = 0; look < 3; look += 1) verdicts.push(await verdictOf(own));
    expect(verdicts).toEqual(["ServiceUnavailable", "dead", "dead"]);
  });

  it("shows in words why a call was undone", async () => {
    const { txHash } = await kept();
    const landed = await node.sight(txHash);
    ledger.node.changes(INFO, (info) => ({
      ...info,
      fee: 5,
      result: "FAILED",
      receipt: { result: "OUT_OF_ENERGY" },
      resMessage: Buffer.from("Not enough energy").toString("hex"),
    }));
    const sight = await node.sight(txHash);
    expect(sight.ok && sight.value).toEqual({
      ...(landed.ok && landed.value),
      fee: 5n,
      succeeded: false,
      reason: "OUT_OF_ENERGY: Not enough energy",
    });
    expect(() => node.sight("0x5")).toThrow(TypeError);
  });

  it("stops a build when the account belongs to other keys, or the contract refuses", async () => {
    const keys = [{ address: tronHexAddress(TRON_RECIPIENT), weight: 1 }];
    ledger.node.changes("/wallet/getaccount", (account) => ({
      ...account,
      owner_permission: { permission_name: "owner", threshold: 1, keys },
    }));
    expect(await codeOf(node.build(tronIntent()))).toBe("TransactionInvalid");
    ledger.node.reset();
    const builtBy = async (transfer: string) => {
      const functions = {
        "balanceOf(address)": CODE.answers(5_000_000n),
        "transfer(address,uint256)": transfer,
      };
      const contract = await ledger.deploy(tronContract(contractOf(functions).slice(2)));
      return node.build(tronIntent(authorisedTron({ ...TRC20_TRANSFER, contract })));
    };
    const paused = await builtBy(CODE.revertsWith("the token is paused"));
    expect(!paused.ok && paused.problem.message).toContain("the token is paused");
    // a returned false proves nothing: the most widely used token returns it when it moves
    expect((await builtBy(CODE.answers(0n))).ok).toBe(true);
  });
});
