import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BroadcastOutcome, ChainNode, TransactionIntent } from "../../chain.ts";
import type { NodeAnswer } from "../../testing/scripted-node.ts";
import { StubTron, stubTronBlock } from "../../testing/stub-tron.ts";
import {
  authorisedTron,
  TRC10_ID,
  TRC20_TRANSFER,
  TRON_KEY,
  TRON_NILE,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRON_TOKEN,
  TRX_TRANSFER,
} from "../../testing/tron-samples.ts";
import { TRON_FAMILY } from "../family.ts";
import { tronNetworkSchema } from "../network.ts";
import { decodeTron, encodeTron, tronDigest } from "../transaction.ts";
import { tronHead } from "./blocks.ts";
import { tronHexAddress } from "./hex-address.ts";
import { connectTron } from "./http.ts";
import { tronNode } from "./node.ts";

let tron: StubTron;
let node: ChainNode;
beforeEach(async () => {
  tron = await StubTron.start();
  node = tronNode({ ...TRON_NILE, fullNodeUrl: tron.url });
  tron.accounts.set(TRON_SENDER, { balance: 100_000_000n });
});
afterEach(() => tron.stop());

const intent = (act: TransactionIntent["act"] = authorisedTron(TRX_TRANSFER)): TransactionIntent => ({
  sender: TRON_SENDER,
  keys: [TRON_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});

const made = async () => {
  const built = await node.build(intent());
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const attached = TRON_FAMILY.attach(unsigned, [TRON_KEY.sign(tronDigest(unsigned))], [TRON_KEY.publicKey]);
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};

/** Everything that asks a node, and answers with a result. */
const questions = async () => {
  const { unsigned, signed, txHash } = await made();
  tron.height += 1_000n;
  return [
    () => node.build(intent()),
    () => node.head(),
    () => node.block(5n, new Set()),
    () => node.arrivals?.(5n, async () => new Set()) ?? expect.fail(),
    () => node.sight(txHash),
    () => node.fateOf(TRON_SENDER, [{ unsigned, signed }]),
    () => node.describeToken(TRON_TOKEN),
    () => node.describeToken(TRC10_ID),
    () => node.balance(TRON_SENDER),
    () => node.tokenBalance(TRON_SENDER, TRON_TOKEN),
    () => node.tokenOwner(TRON_TOKEN, 7n),
  ];
};

const NONSENSE: readonly (readonly [string, NodeAnswer])[] = [
  ["is at its limit", { status: 429, text: "too many requests" }],
  ["is broken", { status: 500, text: '{"message":"internal"}' }],
  ["is behind something that is broken", { status: 502, text: "<html>bad gateway</html>" }],
  ["wants a key", { status: 401, text: '{"Error":"ApiKey not exists"}' }],
  ["has no such call", { status: 404, text: "" }],
  ["says that it failed", { status: 200, text: '{"Error":"class java.lang.NullPointerException : null"}' }],
  ["answers no JSON", { status: 200, text: "<html>welcome</html>" }],
  ["answers nothing", { status: 200, text: "" }],
  ["answers a list", { status: 200, text: "[1]" }],
  ["answers null", { status: 200, text: "null" }],
  [
    "answers with fields of other kinds",
    { status: 200, text: '{"blockID":5,"balance":-1,"id":5,"blockNumber":"x","result":5,"precision":-1}' },
  ],
  ["sends elsewhere", { status: 302, text: "" }],
];

describe("a node that does not answer as a node does", () => {
  it.each(NONSENSE)("is away, and nothing is concluded, when it %s", async (_, answer) => {
    const asked = await questions();
    tron.spoilt.set("/", answer);
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
  });

  it.each(NONSENSE)("has not taken a transaction when it %s", async (_, answer) => {
    const { signed } = await made();
    tron.spoilt.set("/wallet/broadcasthex", answer);
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("is away when it is not there", async () => {
    const { signed } = await made();
    const asked = await questions();
    await tron.stop();
    for (const ask of asked) {
      const answered = await ask();
      expect(!answered.ok && answered.problem.code).toBe("ServiceUnavailable");
    }
    expect((await node.broadcast(signed)).kind).toBe("refused");
    tron = await StubTron.start();
  });

  it("is away when its answer has no end, or it says nothing for as long as a call may take", async () => {
    tron.spoilt.set("/", { status: 200, text: `{"blockID":${" ".repeat(17 * 1024 * 1024)}1}` });
    const head = await node.head();
    expect(!head.ok && head.problem.message).toContain("too long");
    tron.spoilt.set("/", "silence");
    const slow = await tronHead(connectTron({ ...TRON_NILE, fullNodeUrl: tron.url }, 20));
    expect(!slow.ok && slow.problem.code).toBe("ServiceUnavailable");
  });

  it("is away when it does not tell a price, or is busy with a call", async () => {
    tron.prices["getEnergyFee"] = undefined;
    expect((await node.build(intent())).ok).toBe(true);
    delete tron.prices["getEnergyFee"];
    const built = await node.build(intent());
    expect(!built.ok && built.problem.message).toContain("getEnergyFee");
    tron.prices["getEnergyFee"] = 100n;
    tron.calls.set(`${TRON_TOKEN}.transfer(address,uint256)`, {
      result: { code: "SERVER_BUSY", message: "" },
    });
    tron.returns(TRON_TOKEN, "balanceOf(address)", [5_000_000n]);
    const busy = await node.build(intent(authorisedTron(TRC20_TRANSFER)));
    expect(!busy.ok && busy.problem.code).toBe("ServiceUnavailable");
  });

  it.each([
    ["of 64 bits", `${2n ** 63n}`],
    ["of a million digits", "9".repeat(1_000_000)],
    ["below zero", "-1"],
    ["with a fraction", "1.5"],
  ])("is away when it tells a number %s", async (_, balance) => {
    const address = tronHexAddress(TRON_SENDER);
    const text = `{"address":"${address}","balance":${balance}}`;
    tron.spoilt.set("/wallet/getaccount", { status: 200, text });
    const reported = await node.balance(TRON_SENDER);
    expect(!reported.ok && reported.problem.code).toBe("ServiceUnavailable");
  });

  it("tells no balance when what it shows is no account, or another one", async () => {
    const other = tronHexAddress(TRON_RECIPIENT);
    for (const text of ['{"status":"ok"}', `{"address":"${other}","balance":5}`]) {
      tron.spoilt.set("/wallet/getaccount", { status: 200, text });
      const reported = await node.balance(TRON_SENDER);
      expect(!reported.ok && reported.problem.code).toBe("ServiceUnavailable");
    }
  });

  it("throws nothing when a token's name, or why it refuses a transaction, is megabytes long", async () => {
    const { signed } = await made();
    const hex = "61".repeat(4_300_000);
    const says = (path: string, body: object) =>
      tron.spoilt.set(path, { status: 200, text: JSON.stringify(body) });
    says("/wallet/getassetissuebyid", { abbr: hex, precision: 6 });
    says("/wallet/broadcasthex", { code: "OTHER_ERROR", message: hex });
    const described = await node.describeToken(TRC10_ID);
    expect(described).toEqual({ ok: true, value: { decimals: 6, verified: false } });
    expect((await node.broadcast(signed)).kind).toBe("refused");
  });

  it("INV-10 does not tell its key, which what stands before it repeats", async () => {
    const [path, apiKey] = ["/jsonrpc/sekret-0123456789", "sekret-key-0123456789"];
    const away = tronNode({ ...TRON_NILE, fullNodeUrl: `${tron.url}${path}`, apiKey });
    const words = `Cannot POST ${path}: key ${apiKey}`;
    for (const answer of [
      { status: 500, text: words },
      { status: 200, text: JSON.stringify({ Error: words }) },
    ]) {
      tron.spoilt.set(path, answer);
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
    const solid = await StubTron.start();
    const other = tronNode({
      ...TRON_NILE,
      fullNodeUrl: `${tron.url}/`,
      solidityNodeUrl: solid.url,
      apiKey: "a key",
    });
    expect((await other.head()).ok).toBe(true);
    expect([tron.asked.at(-1)?.path, solid.asked.map(({ path }) => path)]).toEqual([
      "/wallet/getblock",
      ["/walletsolidity/getblock"],
    ]);
    expect(solid.asked[0]?.key).toBe("a key");
    await solid.stop();
  });
});

describe("the answer of a node to a signed transaction", () => {
  const outcomeOf = async (code: string, message = "no"): Promise<BroadcastOutcome> => {
    const { signed } = await made();
    tron.refusal = { code, message };
    return node.broadcast(signed);
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
    // the other call for the same writes its words plain
    expect((await outcomeOf(code, words)).kind).toBe(kind);
  });

  it("that it has met it before does not hide for an hour that its time is over", async () => {
    const { signed } = await made();
    tron.refusal = { code: "DUP_TRANSACTION_ERROR", message: "Transaction already exists." };
    expect((await node.broadcast(signed)).kind).toBe("refused");
    tron.height += 200n;
    expect((await node.broadcast(signed)).kind).toBe("outdated");
  });

  it("that it has met it before means nothing by itself: it may hide that it is refused", async () => {
    expect(await outcomeOf("DUP_TRANSACTION_ERROR")).toMatchObject({ kind: "refused" });
    tron.refusal = undefined;
    const { signed, txHash } = await made();
    tron.refusal = { code: "DUP_TRANSACTION_ERROR", message: "dup trans" };
    tron.pending.add(txHash);
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
    tron.pending.clear();
    tron.landed.set(txHash, { height: 999n });
    expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  });

  it("is no yes when it names another transaction", async () => {
    const { signed, txHash } = await made();
    tron.takenId = "00".repeat(32);
    expect((await node.broadcast(signed)).kind).toBe("refused");
    tron.takenId = txHash;
    expect((await node.broadcast(signed)).kind).toBe("accepted");
  });

  it("is shown by a line of its own words at most", async () => {
    const outcome = await outcomeOf("OTHER_ERROR", "x".repeat(10_000));
    expect(outcome.kind === "refused" && outcome.reason.length < 700).toBe(true);
  });
});

describe("INV-4 a node that lies or has forgotten", () => {
  const lost = async () => {
    const own = await made();
    // the expiration is some five minutes away, and solid blocks are a minute behind
    tron.height += 200n;
    return own;
  };
  const verdictOf = async (own: Awaited<ReturnType<typeof made>>): Promise<string> => {
    const fate = await node.fateOf(TRON_SENDER, [own]);
    return fate.ok ? fate.value.kind : fate.problem.code;
  };

  it("gives a verdict once it has every block", async () => {
    expect(await verdictOf(await lost())).toBe("dead");
  });

  it("K11 gives a verdict by its solid blocks alone, however often it takes the same bytes and shows them in its pool", async () => {
    const own = await made();
    tron.pending.add(own.txHash);
    const taken = async () => expect(await node.broadcast(own.signed)).toEqual({ kind: "accepted" });
    for (let blocks = 0; blocks < 120; blocks += 20) {
      await taken();
      expect(await verdictOf(own)).toBe("open");
      tron.height += 20n;
    }
    await taken();
    // its pool still has it, as it says; the expiration is past in a solid block
    expect(await node.sight(own.txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await verdictOf(own)).toBe("dead");
    await taken();
    expect(await verdictOf(own)).toBe("dead");
  });

  it("gives none when it has not every block, whatever it says of the transaction", async () => {
    const own = await lost();
    tron.firstHeight = 1_100n;
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    tron.firstHeight = 1n;
    expect(await verdictOf(own)).toBe("dead");
  });

  it("finds a transaction in its block that the node tells nothing of", async () => {
    const own = await lost();
    tron.blocks.set(1_050n, [own.txHash]);
    expect(await verdictOf(own)).toBe("open");
    tron.blocks.clear();
    // the content of a solid block is true for good
    expect(await verdictOf(own)).toBe("open");
  });

  it("gives none when it shows other blocks than were asked for, or a block without its transactions", async () => {
    const own = await lost();
    const last = tron.solidHeight;
    // asked for any block above the one that is referred to, it shows its last one
    tron.shownHeight = (height) => (height > 990n ? last : height);
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    tron.shownHeight = (height) => height;
    tron.blocks.set(1_050n, [own.txHash]);
    tron.hidesTransactions = true;
    expect(await verdictOf(own)).toBe("ServiceUnavailable");
    tron.hidesTransactions = false;
    expect(await verdictOf(own)).toBe("open");
  });

  it("says dead of one whose block was forked away: no solid block is the one that it refers to", async () => {
    const own = await made();
    const decoded = decodeTron(own.unsigned);
    if (!decoded.ok) expect.fail(decoded.problem.message);
    const forked = encodeTron({ ...decoded.value, refBlockHash: new Uint8Array(8).fill(0xee) });
    const attached = TRON_FAMILY.attach(forked, [TRON_KEY.sign(tronDigest(forked))], [TRON_KEY.publicKey]);
    if (!attached.ok) expect.fail(attached.problem.message);
    tron.height += 200n;
    const forkedOwn = { unsigned: forked, ...attached.value };
    tron.firstHeight = 990n;
    expect(await verdictOf(forkedOwn)).toBe("ServiceUnavailable");
    tron.firstHeight = 1n;
    expect(await verdictOf(forkedOwn)).toBe("dead");
  });

  it("is not built for, and gives no verdict, when its solid blocks are of another chain", async () => {
    const own = await lost();
    const solid = await StubTron.start();
    solid.genesisBlock = "00".repeat(32);
    solid.height = tron.height;
    node = tronNode({ ...TRON_NILE, fullNodeUrl: tron.url, solidityNodeUrl: solid.url });
    const built = await node.build(intent());
    const verdict = await verdictOf(own);
    await solid.stop();
    expect(!built.ok && built.problem.code).toBe("ServiceUnavailable");
    expect(verdict).toBe("ServiceUnavailable");
  });

  it("tells nothing when it shows another transaction than was asked for", async () => {
    const { txHash } = await made();
    tron.landed.set(txHash, { height: 900n });
    tron.shownId = "ab".repeat(32);
    const sight = await node.sight(txHash);
    expect(!sight.ok && sight.problem.code).toBe("ServiceUnavailable");
  });

  it("finds one in the very first block that is later than its expiration", async () => {
    const own = await lost();
    const read = TRON_FAMILY.read(TRON_NILE, own.unsigned, authorisedTron(TRX_TRANSFER));
    const deadline = BigInt(
      (read.ok ? read.value.deadlineMs : undefined) ?? expect.fail("it has a deadline"),
    );
    let first = 1_000n;
    while (tron.timeOf(first) <= deadline) first += 1n;
    tron.blocks.set(first, [own.txHash]);
    expect(await verdictOf(own)).toBe("open");
  });

  it("reads a long window in several looks", async () => {
    const own = await made();
    // blocks of a chain that made none for a while come late
    tron.height += 2_000n;
    const patient = tronNode({ ...TRON_NILE, fullNodeUrl: tron.url });
    const real = tron.timeOf.bind(tron);
    tron.timeOf = (height) => (height < 1_500n ? real(1_000n) : real(height));
    const verdicts: string[] = [];
    for (let look = 0; look < 3; look += 1) {
      const fate = await patient.fateOf(TRON_SENDER, [own]);
      verdicts.push(fate.ok ? fate.value.kind : fate.problem.code);
    }
    expect(verdicts).toEqual(["ServiceUnavailable", "dead", "dead"]);
  });

  it("shows in words why a call was undone", async () => {
    const { txHash } = await made();
    tron.landed.set(txHash, { height: 900n, fee: 5n, result: "OUT_OF_ENERGY", words: "Not enough energy" });
    const sight = await node.sight(txHash);
    expect(sight.ok && sight.value).toEqual({
      kind: "included",
      height: 900n,
      blockHash: stubTronBlock(900n),
      isFinal: true,
      fee: 5n,
      date: new Date(Number(tron.timeOf(900n))).toISOString(),
      succeeded: false,
      reason: "OUT_OF_ENERGY: Not enough energy",
    });
    expect(() => node.sight("0x5")).toThrow(TypeError);
  });

  it("is not built for when the account is others', or a contract says no", async () => {
    tron.accounts.set(TRON_SENDER, { balance: 100_000_000n, owner: TRON_RECIPIENT });
    const foreign = await node.build(intent());
    expect(!foreign.ok && foreign.problem.code).toBe("TransactionInvalid");
    tron.accounts.set(TRON_SENDER, { balance: 100_000_000n });
    tron.returns(TRON_TOKEN, "balanceOf(address)", [5_000_000n]);
    tron.reverts(TRON_TOKEN, "transfer(address,uint256)", "the token is paused");
    const paused = await node.build(intent(authorisedTron(TRC20_TRANSFER)));
    expect(!paused.ok && paused.problem.message).toContain("the token is paused");
    tron.returns(TRON_TOKEN, "transfer(address,uint256)", [0n], 65_000n);
    // that it returns false says nothing: the most widely used token does so when it moves
    expect((await node.build(intent(authorisedTron(TRC20_TRANSFER)))).ok).toBe(true);
  });
});
