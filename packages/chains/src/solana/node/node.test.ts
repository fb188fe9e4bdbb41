import type { Act } from "@conclave/custody";
import { concatBytes } from "@noble/curves/utils.js";
import { getBase64Decoder, getBase64Encoder } from "@solana/kit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  authorisedSolana,
  authorisedSolanaBytes,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_MINT,
  SOLANA_RECIPIENT,
  SOLANA_SENDER,
  SPL_2022_TRANSFER,
  SPL_TRANSFER,
  solanaBytes,
} from "../../testing/solana-samples.ts";
import { solanaExtension, solanaHoldingData, solanaMintData } from "../../testing/solana-token-data.ts";
import { StubSolana, stubBlockhash } from "../../testing/stub-solana.ts";
import { SOLANA_FAMILY } from "../family.ts";
import { messageOf } from "../message/message.ts";
import { SOLANA_TOKEN_2022_PROGRAM, SOLANA_TOKEN_PROGRAM } from "../message/programs.ts";
import { associatedAccount } from "../token/associated-account.ts";
import { decodeSolana } from "../transaction.ts";
import { solanaNode } from "./node.ts";

let stub: StubSolana;
let node: ChainNode;
beforeEach(async () => {
  stub = await StubSolana.start();
  node = solanaNode({ ...SOLANA_DEVNET, solanaUrl: stub.url });
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
});
afterEach(() => stub.stop());

const intent = (act: Act, priority?: "Slow" | "Standard" | "Fast") =>
  ({
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act,
    priority,
    sequencing: { kind: "next", lowest: 0n },
  }) as const;
const ACT = authorisedSolana(SOL_TRANSFER);

const made = async (act: Act = ACT) => {
  const built = await node.build(intent(act));
  if (!built.ok) expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const attached = SOLANA_FAMILY.attach(
    unsigned,
    [SOLANA_KEY.sign(messageOf(unsigned))],
    [SOLANA_KEY.publicKey],
  );
  return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
};
const said = async (act: Act): Promise<string> => {
  const built = await node.build(intent(act));
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};

const endow = (kind: "Spl" | "Spl2022", mint: Uint8Array, recipient = true): void => {
  const owner = kind === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;
  const put = (who: string, amount: bigint): void => {
    const data = solanaHoldingData(who, amount);
    stub.accounts.set(associatedAccount({ kind, mint: SOLANA_MINT }, who), {
      lamports: 2_039_280n,
      owner,
      data,
    });
  };
  stub.accounts.set(SOLANA_MINT, { lamports: 1n, owner, data: mint });
  put(SOLANA_SENDER, 10_000_000n);
  if (recipient) put(SOLANA_RECIPIENT, 0n);
};

describe("a node of Solana that builds", () => {
  it("takes the last finalized blockhash with its slot, and what the node computed with a margin", async () => {
    const { unsigned } = await made();
    expect(decodeSolana(unsigned)).toMatchObject({
      ok: true,
      value: {
        blockhash: stubBlockhash(4_968n),
        instructions: [
          { kind: "computeLimit", units: 12_180 },
          { kind: "memo", text: expect.stringMatching(/ 4968$/) },
          { kind: "payment" },
        ],
      },
    });
    const tried = stub.asked.find(({ method }) => method === "simulateTransaction")?.params[0];
    expect(getBase64Encoder().encode(String(tried)).slice(1, 65)).toEqual(new Uint8Array(64));
  });

  it("asks for no more than counts, whatever the node says that it computed", async () => {
    stub.simulation = { err: null, logs: [], units: 2n ** 64n - 1n };
    const { unsigned } = await made();
    expect(decodeSolana(unsigned)).toMatchObject({
      ok: true,
      value: { instructions: [{ kind: "computeLimit", units: 1_400_000 }, {}, {}] },
    });
  });

  it("bids what was paid for the accounts that it changes, by its priority, and nothing without one", async () => {
    stub.prices.push(50_000n, 150_000n, 300_000n);
    const priceOf = async (priority?: "Slow" | "Standard" | "Fast") => {
      const built = await node.build(intent(ACT, priority));
      const decoded = decodeSolana(built.ok ? built.value.unsigned : expect.fail(built.problem.message));
      const price = decoded.ok && decoded.value.instructions.find(({ kind }) => kind === "computePrice");
      return price && "price" in price ? price.price : undefined;
    };
    expect([
      await priceOf(),
      await priceOf("Slow"),
      await priceOf("Standard"),
      await priceOf("Fast"),
    ]).toEqual([undefined, 50_000n, 150_000n, 150_000n]);
    const asked = stub.asked.find(({ method }) => method === "getRecentPrioritizationFees");
    expect(asked?.params).toEqual([[SOLANA_SENDER, SOLANA_RECIPIENT]]);
    expect(await node.feeLevels()).toMatchObject({ ok: true, value: { kind: "Solana", blockNumber: 5_000 } });
  });

  it.each(["Spl", "Spl2022"] as const)(
    "moves a token of the kind %s, and makes an account where it is asked to",
    async (kind) => {
      const program = kind === "Spl" ? SOLANA_TOKEN_PROGRAM : SOLANA_TOKEN_2022_PROGRAM;
      endow(kind, solanaMintData(), false);
      const transfer = { ...SPL_TRANSFER, kind };
      expect(await said(authorisedSolana(transfer))).toContain("RecipientCannotReceive");
      const { unsigned } = await made(authorisedSolana({ ...transfer, createDestinationAccount: true }));
      const decoded = decodeSolana(unsigned);
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
    expect(stub.asked.some(({ method }) => method === "simulateTransaction")).toBe(false);
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
    // TransferFeeAmount, TransferHookAccount and PausableAccount: 170 bytes and 12, 5 and 4 more
    const asked = [
      solanaExtension(1, new Uint8Array(108)),
      solanaExtension(14, new Uint8Array(64)),
      solanaExtension(26, new Uint8Array(33)),
    ];
    endow("Spl2022", solanaMintData(...asked), false);
    const rent = (128n + 191n) * 6_960n;
    const least = 890_880n + 5_000n + rent;
    stub.accounts.set(SOLANA_SENDER, { lamports: least - 1n });
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toContain(`${least} lamports`);
    stub.accounts.set(SOLANA_SENDER, { lamports: least });
    expect(await said(authorisedSolana(SPL_2022_TRANSFER))).toBe("built");
  });

  it("K1 lets the node try the very bytes that are signed, with their units and their price", async () => {
    stub.prices.push(50_000n);
    const built = await node.build(intent(ACT, "Standard"));
    const unsigned = built.ok ? built.value.unsigned : expect.fail(built.problem.message);
    const tried = stub.asked.filter(({ method }) => method === "simulateTransaction");
    expect(tried).toHaveLength(2);
    expect(tried.at(-1)?.params).toEqual([
      getBase64Decoder().decode(unsigned),
      { encoding: "base64", commitment: "confirmed", sigVerify: false, replaceRecentBlockhash: false },
    ]);
    // the first has more units than it takes and no price: only the second tells that the price is too much
    stub.simulateNext = [stub.simulation, { err: "InsufficientFundsForFee", logs: [], units: 0n }];
    expect(await said(ACT)).toBe(
      "ExecutionReverted: the chain would not carry it out: InsufficientFundsForFee: the wallet holds fewer lamports than the fee: fund it",
    );
  });

  it("takes extensions that change nothing for a transfer, and shows the symbol that a token gives itself", async () => {
    const text = (value: string) =>
      concatBytes(Uint8Array.of(value.length, 0, 0, 0), new TextEncoder().encode(value));
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

  it("fails in the chain's own words when the node would not carry it out", async () => {
    stub.simulation = {
      err: { InstructionError: [2, { Custom: 1 }] },
      logs: ["Program log: Error: insufficient funds", "Program consumed 5 units"],
      units: 5n,
    };
    expect(await said(ACT)).toBe(
      'ExecutionReverted: the chain would not carry it out: {"InstructionError":[2,{"Custom":1}]} (Program log: Error: insufficient funds)',
    );
  });

  it.each<[string, unknown]>([
    ["the wallet's account holds no lamports: fund it", "AccountNotFound"],
    [
      "an account would hold some lamports, and fewer than its rent: send more to it, or leave more in it",
      { InsufficientFundsForRent: { account_index: 0 } },
    ],
  ])("K12 says in lamports what is missing: %s", async (words, err) => {
    stub.simulation = { err, logs: [], units: 0n };
    expect(await said(ACT)).toContain(words);
  });

  it("waits for a node that is behind, and so does not know the blockhash of the last final block", async () => {
    stub.simulation = { err: "BlockhashNotFound", logs: [], units: 0n };
    expect(await said(ACT)).toContain("ServiceUnavailable");
  });

  it("takes a block before where the node does not show its last one yet, and waits while it shows none", async () => {
    stub.lost.add(stub.finalSlot).add(stub.finalSlot - 1n);
    const decoded = decodeSolana((await made()).unsigned);
    expect(decoded.ok && decoded.value.blockhash).toBe(stubBlockhash(4_966n));
    for (let slot = 0n; slot <= stub.slot; slot += 1n) stub.lost.add(slot);
    expect(await said(ACT)).toContain("ServiceUnavailable");
  });
});

describe("a caller's own bytes", () => {
  const actOf = (slot: bigint) =>
    authorisedSolanaBytes(Buffer.from(solanaBytes({ blockhash: stubBlockhash(slot) }).slice(2), "hex"));

  it("are taken with a young blockhash that is final, waited for before, and refused after", async () => {
    expect(await said(actOf(4_900n))).toBe("built");
    expect(await said(actOf(4_990n))).toContain("ServiceUnavailable");
    expect(await said(actOf(4_840n))).toContain("TransactionInvalid");
    expect(await said(actOf(6_000n))).toContain("TransactionInvalid");
  });

  it("INV-4 are refused when the chain has them already", async () => {
    const { signed } = await made(actOf(4_900n));
    stub.landings.push({ slot: 4_950n, of: SOLANA_SENDER, transaction: signed });
    expect(await said(actOf(4_900n))).toContain("the chain has this very transaction already");
  });

  it("INV-4 wait for a node that has all blocks in which the chain may have them", async () => {
    stub.lost.add(4_950n);
    expect(await said(actOf(4_900n))).toContain("ServiceUnavailable");
    stub.lost.clear();
    expect(await said(actOf(4_900n))).toBe("built");
  });
});

describe("a node of Solana that is handed a transaction", () => {
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
    const { signed } = await made();
    stub.refusal = refusal;
    expect((await node.broadcast(signed)).kind).toBe(kind);
    expect(stub.posted).toEqual([signed]);
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
    const { signed } = await made();
    stub.refusalWords = [code, words];
    const outcome = await node.broadcast(signed);
    expect(outcome.kind).toBe(kind);
    expect(outcome.kind === "accepted" ? "" : outcome.reason).toContain(words);
  });

  it.each(['"x"', "null"])("has not taken it when it names another, or none: %s", async (id) => {
    const { signed } = await made();
    stub.spoilt.set("sendTransaction", { status: 200, text: `{"jsonrpc":"2.0","id":1,"result":${id}}` });
    expect(await node.broadcast(signed)).toMatchObject({ kind: "refused" });
  });
});

describe("a node of Solana that looks", () => {
  it("sees a transaction in no block, in one, at final depth, and failed", async () => {
    const { signed, txHash } = await made();
    const seen = async () => {
      const sighting = await node.sight(txHash);
      return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
    };
    expect(await seen()).toEqual({ kind: "unknown" });
    stub.landings.push({ slot: 5_000n, of: SOLANA_SENDER, transaction: signed });
    const included = { kind: "included", height: 5_000n, blockHash: stubBlockhash(5_000n), fee: 5_000n };
    expect(await seen()).toEqual({ ...included, isFinal: false, succeeded: true });
    stub.slot += 32n;
    expect(await seen()).toEqual({ ...included, isFinal: true, succeeded: true });
    // until now the node had no time of the block
    stub.blockTimes.set(5_000n, 1_795_132_800n);
    expect(await seen()).toMatchObject({ isFinal: true, date: "2026-11-20T00:00:00.000Z" });
    stub.blockTimes.clear();
    stub.landings[0] = {
      slot: 5_000n,
      of: SOLANA_SENDER,
      transaction: signed,
      err: "InsufficientFundsForRent",
    };
    expect(await seen()).toEqual({
      ...included,
      isFinal: true,
      succeeded: false,
      reason: "InsufficientFundsForRent",
    });
    expect(() => node.sight("x")).toThrow(TypeError);
  });

  it("does not take a transaction for one that succeeded when the node leaves out whether it failed", async () => {
    const { signed, txHash } = await made();
    stub.landings.push({ slot: 4_960n, of: SOLANA_SENDER, transaction: signed });
    stub.spoilt.set("getTransaction", {
      status: 200,
      text: '{"jsonrpc":"2.0","id":1,"result":{"slot":4960,"meta":{"fee":5000}}}',
    });
    expect(await node.sight(txHash)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
  });

  it("tells its head by slots, and what a block holds; for a slot without one stands the block before", async () => {
    const { signed, txHash } = await made();
    stub.landings.push({ slot: 4_990n, of: SOLANA_SENDER, transaction: signed });
    expect(await node.head()).toEqual({
      ok: true,
      value: { height: 5_000n, hash: stubBlockhash(5_000n), confirmedHeight: 4_968n, finalHeight: 4_968n },
    });
    const ours = new Set([txHash]);
    const [hash, parentHash] = [stubBlockhash(4_990n), stubBlockhash(4_989n)];
    expect(await node.block(4_990n, ours)).toEqual({
      ok: true,
      value: { height: 4_990n, hash, parentHash, holds: [txHash] },
    });
    expect(await node.block(5_001n, ours)).toEqual({ ok: true, value: undefined });
    stub.skipped.add(4_991n);
    expect(await node.block(4_991n, ours)).toEqual({
      ok: true,
      value: { height: 4_991n, hash, parentHash: hash, holds: [] },
    });
  });

  it("brings nothing in a slot that its neighbours prove to be without a block, and is silent of one that it has lost", async () => {
    const arrivals = () => node.arrivals?.(4_950n, async () => new Set());
    stub.skipped.add(4_950n).add(4_951n);
    expect(await arrivals()).toEqual({ ok: true, value: [] });
    stub.skipped.clear();
    stub.lost.add(4_950n).add(4_951n);
    expect([await arrivals(), await node.block(4_950n, new Set())]).toEqual(
      Array(2).fill({ ok: true, value: undefined }),
    );
  });
});
