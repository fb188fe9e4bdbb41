import { type FamilyContent, networkSchema } from "@conclave/custody";
import { makeAlgodGenesis } from "@conclave/ledgers/genesis";
import algosdk from "algosdk";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, TransactionIntent } from "../../chain.ts";
import {
  ALGO_TRANSFER,
  ALGORAND_KEY,
  ALGORAND_SENDER,
  ALGORAND_TESTNET,
  algorandBytes,
  algorandIntent,
  authorisedAlgorand,
  authorisedAlgorandBytes,
  signedAlgorand,
} from "../../testing/algorand-samples.ts";
import { openScriptedLedger, type ScriptedLedger } from "../../testing/ledgers/scripted-ledger.ts";
import { ALGORAND_RULES } from "../rules/rules.ts";
import { decodeAlgorand } from "../transaction.ts";
import { algorandNode } from "./node.ts";

let ledger: ScriptedLedger;
let node: ChainNode;
beforeAll(async () => {
  ledger = await openScriptedLedger("Algorand", ALGORAND_TESTNET.genesisId);
  await ledger.fund(ALGORAND_SENDER, 10_000_000);
});
beforeEach(() => {
  node = algorandNode({ ...ALGORAND_TESTNET, algodUrl: ledger.node.url });
  ledger.node.reset();
});
afterAll(() => ledger.stop());

/** A payment of zero to the sender itself. */
const ownBytes = (change: object = {}): Uint8Array =>
  Buffer.from(
    algorandBytes({
      type: "pay",
      arcv: undefined,
      xaid: undefined,
      rcv: ALGORAND_KEY.publicKey,
      ...change,
    }).slice(2),
    "hex",
  );
const said = async (act?: TransactionIntent["act"]): Promise<string> => {
  const built = await node.build(algorandIntent(act));
  return built.ok ? "built" : `${built.problem.code}: ${built.problem.message}`;
};

const SIMULATE = "/v2/transactions/simulate";
/** Makes the node report this failure of a simulation. */
const fails = (failure: string): void => {
  const groups = [{ "txn-results": [{}], "failure-message": failure, "failed-at": [0] }];
  const text = JSON.stringify({ version: 2, "last-round": 1, "txn-groups": groups });
  ledger.node.spoilt.set(SIMULATE, { status: 200, text });
};

describe("a transaction is tried before it is signed", () => {
  it.each([
    ["a transfer", undefined],
    ["a caller's own bytes", authorisedAlgorandBytes(ownBytes())],
  ] as const)("with exactly those bytes: %s", async (_, act) => {
    const built = await node.build(algorandIntent(act));
    if (!built.ok) expect.fail(built.problem.message);
    const tried = ledger.node.asked.find(({ path }) => path.startsWith(SIMULATE));
    const request = algosdk.decodeMsgpack(
      Uint8Array.from(tried?.body ?? []),
      algosdk.modelsv2.SimulateRequest,
    );
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
    fails(failure);
    expect(await said()).toBe(
      `ExecutionReverted: the chain refuses the transaction, tried as it would be signed: ${failure}`,
    );
  });

  it("INV-4 concludes nothing from a lease that is held: an earlier transaction of the request may have landed", async () => {
    const act = authorisedAlgorand(ALGO_TRANSFER, { requestId: "xfr-aaaaa-bbbbb-ddddddddddddddd" });
    const built = await node.build(algorandIntent(act));
    if (!built.ok) expect.fail(built.problem.message);
    await node.broadcast(signedAlgorand(built.value.unsigned).signed);
    await ledger.mine();
    expect(await said(act)).toContain("ServiceUnavailable");
    expect(await said(act)).toContain("holds the lease");
    fails(`transaction already in ledger: ${"B".repeat(52)}`);
    expect(await said()).toContain("ServiceUnavailable");
  });

  it("and a caller's bytes whose first round is to come are not judged by the ledger of now", async () => {
    expect(await said(authorisedAlgorandBytes(ownBytes({ fv: 1_000n })))).toBe("built");
  });

  it.each([
    [404, '{"message":"Not Found"}'],
    [405, '{"message":"Method Not Allowed"}'],
    [403, "forbidden"],
    [501, "not implemented"],
    [400, '{"message":"unknown field"}'],
  ])("and a node that does not offer it (%s) leaves it to the other checks", async (status, text) => {
    ledger.node.spoilt.set(SIMULATE, { status, text });
    expect(await said()).toBe("built");
  });

  it.each([
    ["is busy", { status: 429, text: "" }],
    ["is broken", { status: 503, text: "" }],
    ["answers something else", { status: 200, text: '{"txn-groups":[]}' }],
  ] as const)("but waits for one that %s", async (_, answer) => {
    ledger.node.spoilt.set(SIMULATE, answer);
    expect(await said()).toContain("ServiceUnavailable");
  });

  it("and believes a node that calls the bytes malformed", async () => {
    const text = '{"message":"transaction X invalid : transaction note too big: 1025 > 1024"}';
    ledger.node.spoilt.set(SIMULATE, { status: 400, text });
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
    const { feeSink, rewardsPool } = makeAlgodGenesis(ALGORAND_TESTNET.genesisId, "tests");
    expect(await judged(to(feeSink))).toBe("RecipientUnsuitable protocol-account");
    expect(await judged(to(rewardsPool))).toBe("RecipientUnsuitable protocol-account");
    expect(await judged(ALGO_TRANSFER)).toBe("suitable");
  });

  it("is not judged while the node is away", async () => {
    ledger.node.spoilt.set("/v2/blocks", { status: 503, text: "" });
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
  it("cannot hold it: past its last round it is dead by the blocks alone, whatever the pool shows", async () => {
    const built = await node.build(algorandIntent());
    if (!built.ok) expect.fail(built.problem.message);
    const { unsigned, signed, txHash } = signedAlgorand(built.value.unsigned);
    const decoded = decodeAlgorand(unsigned);
    const lv = decoded.ok ? Number(decoded.value.lastValid) : expect.fail("it is read");
    const taken = JSON.stringify({ txId: txHash });
    const shown = JSON.stringify({ "pool-error": "", txn: { txn: { fee: 1_000, lv } } });
    ledger.node.spoilt.set(`/v2/transactions/pending/${txHash}`, { status: 200, text: shown });
    ledger.node.answers = ({ method }) => (method === "POST" ? { status: 200, text: taken } : undefined);
    const fate = async () => {
      const reported = await node.fateOf(ALGORAND_SENDER, [{ unsigned, signed }]);
      return reported.ok ? reported.value.kind : reported.problem.code;
    };
    expect((await node.broadcast(signed)).kind).toBe("accepted");
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "waiting" } });
    expect(await fate()).toBe("open");
    await ledger.mine(201);
    expect((await node.broadcast(signed)).kind).toBe("accepted");
    expect(await node.sight(txHash)).toEqual({ ok: true, value: { kind: "unknown" } });
    expect(await fate()).toBe("dead");
  });
});
