import { ALGORAND_RULES, algorandAddress, type FamilyContent, networkSchema } from "@conclave/custody";
import algosdk from "algosdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, TransactionIntent } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  ASSET_ID,
  algorandBytes,
  authorisedAlgorand,
  authorisedAlgorandBytes,
} from "../../testing/algorand-samples.ts";
import { StubAlgod } from "../../testing/stub-algod.ts";
import { ALGORAND_FAMILY } from "../family.ts";
import { bytesToSign } from "../transaction.ts";
import { algorandNode } from "./node.ts";

let algod: StubAlgod;
let node: ChainNode;
beforeEach(async () => {
  algod = await StubAlgod.start();
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: algod.url });
  algod.accounts.set(ALGORAND_SENDER, { amount: 10_000_000n, least: 100_000n });
  // a caller's own bytes of the samples opt in to it
  algod.assets.set(ASSET_ID, { decimals: 6 });
});
afterEach(() => algod.stop());

const intent = (act: TransactionIntent["act"] = authorisedAlgorand(ALGO_TRANSFER)): TransactionIntent => ({
  sender: ALGORAND_SENDER,
  keys: [ALGORAND_KEY.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
});
const OWN_BYTES = Buffer.from(algorandBytes().slice(2), "hex");
const said = async (act?: TransactionIntent["act"]): Promise<string> => {
  const built = await node.build(intent(act));
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};

describe("what will be signed is tried before", () => {
  it.each([
    ["a transfer", undefined],
    ["a caller's own bytes", authorisedAlgorandBytes(OWN_BYTES)],
  ] as const)("with exactly those bytes: %s", async (_, act) => {
    const built = await node.build(intent(act));
    if (!built.ok) expect.fail(built.problem.message);
    const [tried] = algod.tried;
    const request = algosdk.decodeMsgpack(new Uint8Array(tried ?? []), algosdk.modelsv2.SimulateRequest);
    expect(request.allowEmptySignatures).toBe(true);
    const [only] = request.txnGroups[0]?.txns ?? [];
    expect(only?.sig).toBeUndefined();
    expect(Buffer.from(only?.txn.toByte() ?? [])).toEqual(Buffer.from(built.value.unsigned));
  });

  it.each([
    "transaction X: account Y balance 99000 below min 100000 (0 assets)",
    "transaction X: underflow on subtracting 5 from sender amount 4",
    "transaction X: receiver error: must optin, asset 5 missing from Y",
    "transaction X: asset 5 frozen in Y",
    "transaction X: asset frozen in recipient",
    "transaction X: clawback not allowed: sender Y, clawback Z",
    "transaction X: overspend (account Y, data {}, tried to spend {5})",
    "txgroup with 999uA fees is less than 1mA (usage=1.000000 * base=1mA)",
    "transaction X: should have been authorized by Y but was actually authorized by Z",
    "asset 5 does not exist or has been deleted",
    "words that nobody has heard of",
  ])("and nothing is signed that the ledger refuses: %s", async (failure) => {
    algod.failure = failure;
    expect(await said()).toBe(
      `ExecutionReverted: the chain refuses the transaction, tried as it would be signed: ${failure}`,
    );
  });

  it("INV-4 concludes nothing from a lease that is held: an earlier transaction of the request may have landed", async () => {
    algod.failure = "transaction X using an overlapping lease (sender, lease):(Y, Z)";
    expect(await said()).toContain("ServiceUnavailable");
    algod.failure = `transaction already in ledger: ${"B".repeat(52)}`;
    expect(await said()).toContain("ServiceUnavailable");
  });

  it("and a caller's bytes whose first round is to come are not judged by the ledger of now", async () => {
    algod.failure = "txn dead: round 1001 outside of 1002--1100";
    expect(await said(authorisedAlgorandBytes(OWN_BYTES))).toBe("built");
  });

  it.each([
    [404, '{"message":"Not Found"}'],
    [405, '{"message":"Method Not Allowed"}'],
    [403, "forbidden"],
    [501, "not implemented"],
    [400, '{"message":"unknown field"}'],
  ])("and a node that does not offer it (%s) leaves it to the other checks", async (status, text) => {
    algod.spoilt.set("/v2/transactions/simulate", { status, text });
    expect(await said()).toBe("built");
  });

  it.each([
    ["is busy", { status: 429, text: "" }],
    ["is broken", { status: 503, text: "" }],
    ["answers something else", { status: 200, text: '{"txn-groups":[]}' }],
  ] as const)("but waits for one that %s", async (_, answer) => {
    algod.spoilt.set("/v2/transactions/simulate", answer);
    expect(await said()).toContain("ServiceUnavailable");
  });

  it("and believes a node that calls the bytes malformed", async () => {
    const text = '{"message":"transaction X invalid : transaction note too big: 1025 > 1024"}';
    algod.spoilt.set("/v2/transactions/simulate", { status: 400, text });
    expect(await said()).toContain("note too big");
  });
});

describe("a recipient", () => {
  const to = (address: string): FamilyContent => ({ ...ALGO_TRANSFER, to: address });
  const judged = async (content: FamilyContent): Promise<string> => {
    const result = await node.judgeRecipient?.(content);
    return result?.ok === false ? `${result.problem.code} ${result.problem.details["why"]}` : "suitable";
  };

  it("that is the fee sink or the rewards pool of the node's own network is unsuitable", async () => {
    algod.feeSink = algorandAddress(new Uint8Array(32).fill(21));
    algod.rewardsPool = algorandAddress(new Uint8Array(32).fill(22));
    expect(await judged(to(algod.feeSink))).toBe("RecipientUnsuitable protocol-account");
    expect(await judged(to(algod.rewardsPool))).toBe("RecipientUnsuitable protocol-account");
    expect(await judged(ALGO_TRANSFER)).toBe("suitable");
  });

  it("is not judged while the node is away", async () => {
    algod.spoilt.set("/v2/blocks", { status: 503, text: "" });
    expect(await judged(ALGO_TRANSFER)).toContain("ServiceUnavailable");
  });

  it("that the main network's and the test network's protocol keeps is unsuitable without a node", () => {
    const network = networkSchema.parse(ALGORAND_TESTNET.network);
    for (const address of [
      "Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA",
      "737777777777777777777777777777777777777777777777777UFEJ2CI",
      "A7NMWS3NT3IUDMLVO26ULGXGIIOUQ3ND2TXSER6EBGRZNOBOUIQXHIBGDE",
      "7777777777777777777777777777777777777777777777777774MSJUVU",
    ]) {
      expect(algosdk.isValidAddress(address)).toBe(true);
      const result = ALGORAND_RULES.judgeRecipient?.(network, to(address));
      expect(result?.ok === false && result.problem.code).toBe("RecipientUnsuitable");
    }
    expect(ALGORAND_RULES.judgeRecipient?.(network, ALGO_TRANSFER)?.ok).toBe(true);
  });
});

describe("a node that says that it took a transaction, and forwards nothing", () => {
  const made = async () => {
    const built = await node.build(intent());
    if (!built.ok) expect.fail(built.problem.message);
    const { unsigned } = built.value;
    const signature = ALGORAND_KEY.sign(bytesToSign(unsigned));
    const attached = ALGORAND_FAMILY.attach(unsigned, [signature], [ALGORAND_KEY.publicKey]);
    return attached.ok ? { unsigned, ...attached.value } : expect.fail(attached.problem.message);
  };

  it("cannot hold it: past its last round it is dead by the blocks alone, whatever the pool shows", async () => {
    const { unsigned, signed, txHash } = await made();
    const lv = 1_200;
    algod.takenId = txHash;
    algod.pending.set(txHash, { "pool-error": "", txn: { txn: { fee: 1_000, lv } } });
    const fate = async () => {
      const reported = await node.fateOf(ALGORAND_SENDER, [{ unsigned, signed }]);
      return reported.ok ? reported.value.kind : reported.problem.code;
    };
    expect((await node.broadcast(signed)).kind).toBe("accepted");
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await fate()).toBe("open");
    algod.lastRound = 1_201n;
    expect((await node.broadcast(signed)).kind).toBe("accepted");
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await fate()).toBe("dead");
  });
});
