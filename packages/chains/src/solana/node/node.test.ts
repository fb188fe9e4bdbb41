import type { Act } from "@conclave/custody";
import { concatBytes } from "@noble/curves/utils.js";
import { address, getAddressEncoder, getBase64Decoder, getBase64Encoder } from "@solana/kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  SOLANA_FINAL,
  solanaEntryAt,
  solanaRefusal,
} from "../../testing/ledgers/solana-ledger.ts";
import { jsonAnswer } from "../../testing/scripted-node.ts";
import {
  authorisedSolana,
  authorisedSolanaBytes,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
  solanaBytes,
  solanaIntent,
  withSolanaSignature,
} from "../../testing/solana-samples.ts";
import { solanaExtension, solanaHoldingData, solanaMintData } from "../../testing/solana-token-data.ts";
import {
  SOLANA_SYSTEM_PROGRAM,
  SOLANA_TOKEN_2022_PROGRAM,
  SOLANA_TOKEN_METADATA_PROGRAM,
  SOLANA_TOKEN_PROGRAM,
} from "../message/programs.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { metadataAccount } from "../token/metadata.ts";
import { decodeSolana } from "../transaction.ts";
import { solanaNode } from "./node.ts";

/** More blocks than a blockhash stays valid for. */
const BLOCKS_OF_A_LIFE = 170;
/** a slot without a block in the ledger */
const SKIPPED = 20n;
/** time of all of the ledger's blocks */
const DATE = "2026-11-20T00:00:00.000Z";
const ACT = authorisedSolana(SOL_TRANSFER);

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openSolanaLedger();
  await ledger.fund(SOLANA_RECIPIENT, 1_000_000_000);
  await ledger.mine(BLOCKS_OF_A_LIFE);
});
beforeEach(async () => {
  ledger.node.reset();
  // each test builds with another blockhash
  await ledger.mine();
  node = solanaNode(solanaEntryAt(ledger.node.url));
});
afterAll(() => ledger.stop());

const built = async (act?: Act, priority?: "Slow" | "Standard" | "Fast"): Promise<Uint8Array> =>
  got(await node.build({ ...solanaIntent(act), priority })).unsigned;
const made = async (act?: Act) => withSolanaSignature(await built(act));
/** Sends a transaction into a confirmed block. */
const landed = async () => {
  const { signed, txHash } = await made();
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await ledger.mine(2);
  const height = (await ledger.slots()).at(-1) ?? expect.fail("it has blocks");
  return { txHash, height, blockHash: await ledger.blockhashOf(height) };
};
const said = async (act: Act = ACT): Promise<string> => {
  const { ok, ...answer } = await node.build(solanaIntent(act));
  return "problem" in answer ? `${answer.problem.code}: ${answer.problem.message}` : "built";
};
/** Makes the node's simulation end like this. */
const tries = (outcome: object): void =>
  ledger.changes("simulateTransaction", (tried) => ({
    ...Object(tried),
    value: { ...Object(tried).value, ...outcome },
  }));
const pays = (...prices: readonly number[]): void =>
  ledger.changes("getRecentPrioritizationFees", () =>
    prices.map((prioritizationFee) => ({ slot: 1, prioritizationFee })),
  );
const holds = (lamports: bigint): void =>
  ledger.shows(SOLANA_SENDER, { lamports, owner: SOLANA_SYSTEM_PROGRAM, data: new Uint8Array(0) });

/** A string after its length in bytes, as programs store it. */
const text = (value: string): Uint8Array => {
  const bytes = new TextEncoder().encode(value);
  return concatBytes(Uint8Array.of(bytes.length, 0, 0, 0), bytes);
};

/** Makes the node show a token balance of the sender, and simulate its transfers without an error. */
const endow = (kind: "Spl" | "Spl2022", mint: Uint8Array, recipient = true): void => {
  const owner = kind === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;
  const put = (who: string, amount: bigint): void => {
    const data = solanaHoldingData(who, amount);
    const account = associatedAccount({ kind, mint: SOLANA_MINT }, who);
    ledger.shows(account, { lamports: 2_039_280n, owner, data });
  };
  ledger.shows(SOLANA_MINT, { lamports: 1n, owner, data: mint });
  put(SOLANA_SENDER, 10_000_000n);
  if (recipient) put(SOLANA_RECIPIENT, 0n);
  tries({ err: null, logs: [], unitsConsumed: 10_000 });
};

describe("a node of Solana that builds", () => {
  it("takes the last finalized blockhash with its slot, and what the node computed with a margin", async () => {
    tries({ unitsConsumed: 10_000 });
    const slot = await ledger.lastSlot();
    expect(decodeSolana(await built())).toMatchObject({
      ok: true,
      value: {
        blockhash: await ledger.blockhashOf(slot),
        instructions: [
          { kind: "computeLimit", units: 12_180 },
          { kind: "memo", text: expect.stringMatching(new RegExp(` ${slot}$`)) },
          { kind: "payment" },
        ],
      },
    });
    const [[tried] = []] = ledger.calls("simulateTransaction");
    expect(getBase64Encoder().encode(String(tried)).slice(1, 65)).toEqual(new Uint8Array(64));
  });

  it("asks for at most the chain's limit of compute units, however many the node reports", async () => {
    tries({ unitsConsumed: 2n ** 64n - 1n });
    expect(decodeSolana(await built())).toMatchObject({
      ok: true,
      value: { instructions: [{ kind: "computeLimit", units: 1_400_000 }, {}, {}] },
    });
  });

  it("bids what was paid for the accounts that it changes, by its priority, and nothing without one", async () => {
    pays(50_000, 150_000, 300_000);
    const priceOf = async (priority?: "Slow" | "Standard" | "Fast") => {
      const decoded = decodeSolana(await built(ACT, priority));
      const price = decoded.ok && decoded.value.instructions.find(({ kind }) => kind === "computePrice");
      return price && "price" in price ? price.price : undefined;
    };
    expect([
      await priceOf(),
      await priceOf("Slow"),
      await priceOf("Standard"),
      await priceOf("Fast"),
    ]).toEqual([undefined, 50_000n, 150_000n, 150_000n]);
    expect(ledger.calls("getRecentPrioritizationFees")[0]).toEqual([[SOLANA_SENDER, SOLANA_RECIPIENT]]);
    const blockNumber = Number(await ledger.lastSlot("confirmed"));
    expect(await node.feeLevels()).toMatchObject({ ok: true, value: { kind: "Solana", blockNumber } });
  });

  it.each(["Spl", "Spl2022"] as const)(
    "moves a token of the kind %s, and makes an account where it is asked to",
    async (kind) => {
      const program = kind === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;
      endow(kind, solanaMintData(), false);
      const transfer = { ...SPL_TRANSFER, kind };
      expect(await said(authorisedSolana(transfer))).toContain("RecipientCannotReceive");
      const made = await built(authorisedSolana({ ...transfer, createDestinationAccount: true }));
      const decoded = decodeSolana(made);
      expect(decoded.ok && decoded.value.instructions.map((each) => each.kind)).toEqual([
        "computeLimit",
        "creation",
        "memo",
        "tokenPayment",
      ]);
      const other = program === SOLANA_TOKEN_PROGRAM ? "Spl2022" : "Spl";
      expect(await said(authorisedSolana({ ...transfer, kind: other }))).toContain("there is no token");
    },
  );

  it.each<[string, Uint8Array]>([
    ["cannot be transferred", solanaExtension(9, new Uint8Array(0))],
    ["lets somebody take it from everybody", solanaExtension(12, new Uint8Array(32))],
    ["has a program of its own", solanaExtension(14, new Uint8Array(64).fill(7))],
    ["is paused", solanaExtension(26, new Uint8Array(33).fill(1))],
    ["is paused", solanaExtension(26, new Uint8Array(0))],
    ["that nobody reads here (99)", solanaExtension(99, new Uint8Array(1))],
  ])("signs nothing for a token of Token-2022 that %s", async (words, extended) => {
    endow("Spl2022", solanaMintData(solanaExtension(18, new Uint8Array(64)), extended));
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toContain(words);
    expect(ledger.calls("simulateTransaction")).toEqual([]);
  });

  it.each<[string, readonly Uint8Array[]]>([
    ["takes a fee of what arrives", [solanaExtension(1, new Uint8Array(108))]],
    [
      "takes one of confidential transfers too",
      [solanaExtension(1, new Uint8Array(108)), solanaExtension(16, new Uint8Array(129))],
    ],
    ["can be sent confidentially", [solanaExtension(4, new Uint8Array(65))]],
    ["freezes each new account, where the recipient has one", [solanaExtension(6, Uint8Array.of(2))]],
    ["could have a program of its own, and has none", [solanaExtension(14, new Uint8Array(64))]],
    [
      "could have one, of which an authority alone is set",
      [solanaExtension(14, concatBytes(new Uint8Array(32).fill(7), new Uint8Array(32)))],
    ],
    ["can be paused, and is not", [solanaExtension(26, new Uint8Array(33))]],
  ])("builds a transfer of a token of Token-2022 that %s", async (_, extended) => {
    endow("Spl2022", solanaMintData(...extended));
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toBe("built");
  });

  it("makes no account that would be frozen, and pays for one what the token asks of it", async () => {
    endow("Spl2022", solanaMintData(solanaExtension(6, Uint8Array.of(2))), false);
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toContain("its issuer freezes each new one");
    // extensions of an account: TransferFeeAmount, TransferHookAccount and PausableAccount, with 12, 5 and 4 bytes more
    // than 170
    const asked = [
      solanaExtension(1, new Uint8Array(108)),
      solanaExtension(14, new Uint8Array(64)),
      solanaExtension(26, new Uint8Array(33)),
    ];
    endow("Spl2022", solanaMintData(...asked), false);
    const rent = (128n + 191n) * 6_960n;
    const least = 890_880n + 5_000n + rent;
    holds(least - 1n);
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toContain(`${least} lamports`);
    holds(least);
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toBe("built");
  });

  it("K1 lets the node try the very bytes that are signed, with their units and their price", async () => {
    pays(50_000);
    const unsigned = await built(ACT, "Standard");
    const tried = ledger.calls("simulateTransaction");
    expect(tried).toHaveLength(2);
    expect(tried.at(-1)).toEqual([
      getBase64Decoder().decode(unsigned),
      { encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: false },
    ]);
    // the first simulation uses more units than needed and no price, so only the second one shows that the price is too
    // high
    let tries = 0;
    ledger.changes("simulateTransaction", (found) => {
      tries += 1;
      const err = "InsufficientFundsForFee";
      return tries === 2 ? { ...Object(found), value: { err, logs: [], unitsConsumed: 0 } } : undefined;
    });
    expect(await said()).toBe(
      "ExecutionReverted: the chain would not carry it out: InsufficientFundsForFee: the wallet holds fewer lamports than the fee: fund it",
    );
  });

  it("takes extensions that change nothing for a transfer, and shows the symbol that a token gives itself", async () => {
    const metadata = concatBytes(new Uint8Array(64), text("A coin"), text("COIN"), text("https://a.example"));
    endow("Spl2022", solanaMintData(solanaExtension(6, Uint8Array.of(1)), solanaExtension(19, metadata)));
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toBe("built");
    const token = `Spl2022:${SOLANA_MINT}`;
    expect(await node.describeToken(token)).toEqual({
      ok: true,
      value: { symbol: "COIN", decimals: 6, verified: false },
    });
    expect(await node.tokenBalance(SOLANA_SENDER, token)).toEqual({ ok: true, value: 10_000_000n });
    expect(await node.tokenBalance(SOLANA_DEVNET.genesisHash, token)).toEqual({ ok: true, value: 0n });
    expect(await node.tokenBalance(SOLANA_SENDER, `Spl:${SOLANA_MINT}`)).toEqual({
      ok: true,
      value: undefined,
    });
    expect(await node.describeToken(`Spl:${SOLANA_MINT}`)).toEqual({ ok: true, value: {} });
  });

  it("shows the symbol of a token of the original program that Metaplex keeps, and none that is too long", async () => {
    const texts = (symbol: string) => concatBytes(text("USD Coin"), text(symbol.padEnd(10, "\0")));
    const mint = new Uint8Array(getAddressEncoder().encode(address(SOLANA_MINT)));
    const described = (symbol: string): void => {
      const data = concatBytes(Uint8Array.of(4), new Uint8Array(32), mint, texts(symbol));
      ledger.shows(metadataAccount(SOLANA_MINT), {
        lamports: 1n,
        owner: SOLANA_TOKEN_METADATA_PROGRAM,
        data,
      });
    };
    endow("Spl", solanaMintData());
    const token = `Spl:${SOLANA_MINT}`;
    const bare = { decimals: 6, verified: false };
    expect(await node.describeToken(token)).toEqual({ ok: true, value: bare });
    described("USDC");
    expect(await node.describeToken(token)).toEqual({ ok: true, value: { symbol: "USDC", ...bare } });
    described("X".repeat(33));
    expect(await node.describeToken(token)).toEqual({ ok: true, value: bare });
  });

  it("fails in the chain's own words when the node would not carry it out", async () => {
    tries({
      err: { InstructionError: [2, { Custom: 1 }] },
      logs: ["Program log: Error: insufficient funds", "Program consumed 5 units"],
    });
    expect(await said()).toBe(
      'ExecutionReverted: the chain would not carry it out: {"InstructionError":[2,{"Custom":1}]} (Program log: Error: insufficient funds)',
    );
  });

  it.each<[string, unknown]>([
    ["the wallet's account holds no lamports: fund it", "AccountNotFound"],
    [
      "an account would hold some lamports, and fewer than its rent: send more to it, or leave more in it",
      { InsufficientFundsForRent: { account_index: 0 } },
    ],
  ])("K12 explains in words which lamports are missing: %s", async (words, err) => {
    tries({ err, logs: [] });
    expect(await said()).toContain(words);
  });

  it("waits for a node that is behind, and so does not know the blockhash of the last final block", async () => {
    tries({ err: "BlockhashNotFound" });
    expect(await said()).toContain("ServiceUnavailable");
  });

  it("takes a block before where the node does not show its last one yet, and waits while it shows none", async () => {
    const last = await ledger.lastSlot();
    const [before, second, final] = (await ledger.slots()).filter((slot) => slot <= last).slice(-3);
    ledger.loses(second, final);
    const decoded = decodeSolana(await built());
    expect(decoded.ok && decoded.value.blockhash).toBe(await ledger.blockhashOf(before));
    ledger.changes("getBlocks", () => []);
    expect(await said()).toContain("ServiceUnavailable");
  });
});

describe("a caller's own bytes", () => {
  const actOf = (blockhash: string) =>
    authorisedSolanaBytes(Buffer.from(solanaBytes({ blockhash }).slice(2), "hex"));
  /** @param age number of blocks before the last confirmed one */
  const slotOf = async (age: number) => (await ledger.slots()).at(-1 - age);
  const actAt = async (age: number) => actOf(await ledger.blockhashOf(await slotOf(age)));

  it("are taken with a young blockhash that is final, waited for before, and refused after", async () => {
    expect(await said(await actAt(100))).toBe("built");
    expect(await said(await actAt(10))).toContain("ServiceUnavailable");
    expect(await said(await actAt(160))).toContain("TransactionInvalid");
    expect(await said(actOf(SOLANA_DEVNET.genesisHash))).toContain("TransactionInvalid");
  });

  it("INV-4 are refused when the chain has them already", async () => {
    const act = await actAt(100);
    expect(await node.broadcast((await made(act)).signed)).toEqual({ kind: "accepted" });
    await ledger.mine(2);
    expect(await said(act)).toContain("the chain has this very transaction already");
  });

  it("INV-4 wait for a node that has all blocks in which the chain may have them", async () => {
    const act = await actAt(100);
    ledger.loses(await slotOf(50));
    expect(await said(act)).toContain("ServiceUnavailable");
    ledger.node.reset();
    expect(await said(act)).toBe("built");
  });
});

describe("a node of Solana that is handed a transaction", () => {
  let own: Promise<Uint8Array> | undefined;
  const signedOnce = (): Promise<Uint8Array> => {
    own ??= made().then(({ signed }) => signed);
    return own;
  };

  it.each<[string, unknown]>([
    ["accepted", undefined],
    ["accepted", "AlreadyProcessed"],
    ["outdated", "BlockhashNotFound"],
    ["refused", "InsufficientFundsForFee"],
    ["refused", "AccountNotFound"],
    ["refused", "AccountInUse"],
    ["refused", "WouldExceedMaxBlockCostLimit"],
    ["refused", "WouldExceedMaxAccountCostLimit"],
    ["refused", "WouldExceedMaxVoteCostLimit"],
    ["refused", "WouldExceedAccountDataBlockLimit"],
    ["refused", "WouldExceedAccountDataTotalLimit"],
    ["refused", "ProgramAccountNotFound"],
    ["refused", "InvalidAccountForFee"],
    ["refused", "AddressLookupTableNotFound"],
    ["refused", "InvalidAddressLookupTableOwner"],
    ["refused", "InvalidAddressLookupTableData"],
    ["refused", "InvalidAddressLookupTableIndex"],
    ["refused", "InvalidRentPayingAccount"],
    ["refused", "InvalidProgramForExecution"],
    ["refused", "InvalidWritableAccount"],
    ["refused", "MaxLoadedAccountsDataSizeExceeded"],
    ["refused", "ClusterMaintenance"],
    ["refused", "ProgramCacheHitMaxLimit"],
    ["refused", "CommitCancelled"],
    ["refused", "ResanitizationNeeded"],
    ["refused", "UnbalancedTransaction"],
    ["refused", "AccountBorrowOutstanding"],
    ["refused", { ProgramExecutionTemporarilyRestricted: { account_index: 1 } }],
    ["refused", { InsufficientFundsForRent: { account_index: 1 } }],
    ["refused", { InstructionError: [1, "InvalidAccountData"] }],
    ["refused", { InstructionError: [0, { Custom: 1 }] }],
    ["unacceptable", "SanitizeFailure"],
    ["unacceptable", "SignatureFailure"],
    ["unacceptable", "MissingSignatureForFee"],
    ["unacceptable", "TooManyAccountLocks"],
    ["unacceptable", "AccountLoadedTwice"],
    ["unacceptable", "CallChainTooDeep"],
    ["unacceptable", "InvalidAccountIndex"],
    ["unacceptable", "UnsupportedVersion"],
    ["unacceptable", "InvalidLoadedAccountsDataSizeLimit"],
    ["unacceptable", { DuplicateInstruction: 1 }],
  ])("has %s it when it says %j", async (kind, refusal) => {
    const signed = await signedOnce();
    const refused = solanaRefusal(-32002, "Transaction simulation failed", { err: refusal, logs: [] });
    if (refusal !== undefined) ledger.node.spoilt.set("sendTransaction", jsonAnswer(refused));
    expect((await node.broadcast(signed)).kind).toBe(kind);
    expect(ledger.posted()).toEqual([Buffer.from(signed).toString("hex")]);
  });

  it.each<[string, number, string]>([
    ["unacceptable", -32003, "Transaction signature verification failure"],
    ["unacceptable", -32006, "Transaction precompile verification failure InvalidAccountIndex"],
    [
      "unacceptable",
      -32602,
      "base64 encoded solana_transaction::versioned::VersionedTransaction too large: 1700 bytes (max: encoded/raw 1644/1232)",
    ],
    [
      "unacceptable",
      -32602,
      "decoded solana_transaction::versioned::VersionedTransaction too large: 1300 bytes (max: 1232 bytes)",
    ],
    [
      "unacceptable",
      -32602,
      "failed to deserialize solana_transaction::versioned::VersionedTransaction: io error: failed to fill whole buffer",
    ],
    [
      "unacceptable",
      -32602,
      "invalid transaction: Transaction failed to sanitize accounts offsets correctly",
    ],
    ["refused", -32602, "invalid transaction: Transaction loads an address table account that doesn't exist"],
    [
      "refused",
      -32602,
      "invalid transaction: Transaction loads an address table account with an invalid owner",
    ],
    ["unacceptable", -32602, "invalid transaction: Transaction contains an invalid account reference"],
    ["refused", -32602, "Invalid params: missing field"],
    ["refused", -32005, "Node is behind by 150 slots"],
    ["refused", -32005, "Node is unhealthy"],
    ["refused", -32016, "Minimum context slot has not been reached"],
    ["refused", -32601, "Method not found"],
    ["refused", -32000, "Transaction signature verification failure"],
    ["refused", 429, "Too many requests"],
  ])("has it %s when it says %i: %s", async (kind, code, words) => {
    const signed = await signedOnce();
    ledger.node.spoilt.set("sendTransaction", jsonAnswer(solanaRefusal(code, words)));
    const outcome = await node.broadcast(signed);
    expect(outcome.kind).toBe(kind);
    expect(outcome.kind === "accepted" ? "" : outcome.reason).toContain(words);
  });

  it.each(["x", null])("has not taken it when it names another, or none: %s", async (id) => {
    const { signed } = await made();
    ledger.changes("sendTransaction", () => id);
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });
});

describe("a node of Solana that looks", () => {
  it("sees a transaction in no block, in one, at final depth, and failed", async () => {
    const seen = async (txHash: string) => got(await node.sight(txHash));
    expect(await seen((await made()).txHash)).toEqual({ kind: "unknown" });
    const { txHash, ...place } = await landed();
    const included = { kind: "included", ...place, fee: 5_000n, date: DATE, succeeded: true };
    expect(await seen(txHash)).toEqual({ ...included, isFinal: false });
    await ledger.mine(SOLANA_FINAL);
    expect(await seen(txHash)).toEqual({ ...included, isFinal: true });
    // a node may not have the time of the block
    ledger.changes("getTransaction", (found) => ({ ...Object(found), blockTime: null }));
    const { date, ...undated } = included;
    expect(await seen(txHash)).toEqual({ ...undated, isFinal: true });
    ledger.changes("getTransaction", (found) => {
      const { meta, ...record } = Object(found);
      return { ...record, meta: { ...meta, err: "InsufficientFundsForRent" } };
    });
    expect(await seen(txHash)).toEqual({
      ...undated,
      isFinal: true,
      succeeded: false,
      reason: "InsufficientFundsForRent",
    });
    expect(() => node.sight("x")).toThrow(TypeError);
  });

  it("does not take a transaction for one that succeeded when the node leaves out whether it failed", async () => {
    const { txHash, height: slot } = await landed();
    ledger.changes("getTransaction", () => ({ slot, meta: { fee: 5_000 } }));
    expect(await node.sight(txHash)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("reports its head and its blocks by slots; for a slot without a block it gives the block before", async () => {
    const { txHash, height, blockHash: hash } = await landed();
    const final = await ledger.lastSlot();
    expect(await node.head()).toEqual({
      ok: true,
      value: { height, hash, confirmedHeight: final, finalHeight: final },
    });
    const ours = new Set([txHash]);
    const parentHash = await ledger.blockhashOf((await ledger.slots()).at(-2));
    const value = { height, hash, parentHash, holds: [txHash], date: DATE };
    expect(await node.block(height, ours)).toEqual({ ok: true, value });
    expect(await node.block(height + 1n, ours)).toEqual({ ok: true, value: undefined });
    const before = await ledger.blockhashOf(SKIPPED - 1n);
    expect(await node.block(SKIPPED, ours)).toEqual({
      ok: true,
      value: { height: SKIPPED, hash: before, parentHash: before, holds: [] },
    });
  });

  it("brings nothing in a slot that its neighbours prove to be without a block, and is silent of one that it has lost", async () => {
    const slots = [SKIPPED + 2n, SKIPPED + 3n] as const;
    const arrivals = () => node.arrivals?.(slots[0], async () => new Set());
    ledger.loses(...slots);
    expect([await arrivals(), await node.block(slots[0], new Set())]).toEqual(
      Array(2).fill({ ok: true, value: undefined }),
    );
    // two skipped slots: the block after them names the last one before as its parent
    ledger.changes("getBlock", (block, [slot]) =>
      slot === Number(SKIPPED + 4n) ? { ...Object(block), parentSlot: SKIPPED + 1n } : undefined,
    );
    expect(await arrivals()).toEqual({ ok: true, value: [] });
    ledger.node.reset();
    expect(await node.arrivals?.(SKIPPED, async () => new Set())).toEqual({ ok: true, value: [] });
  });
});
