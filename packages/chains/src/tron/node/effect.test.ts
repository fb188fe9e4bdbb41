import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode, Sighting } from "../../chain.ts";
import { CODE, contractOf } from "../../testing/evm/contract-code.ts";
import {
  makeTronTokens,
  openTronLedger,
  type ScriptedTronLedger,
  TRON_TOKENS,
  tronContract,
  tronEntryAt,
} from "../../testing/ledgers/tron-ledger.ts";
import { bodyOf } from "../../testing/scripted-node.ts";
import {
  authorisedTron,
  TRC10_TRANSFER,
  TRC20_TRANSFER,
  TRC721_TRANSFER,
  TRON_RECIPIENT,
  TRON_SENDER,
  TRX_TRANSFER,
  tronIntent,
  withTronSignature,
} from "../../testing/tron-samples.ts";
import type { TronTransfer } from "../rules/act.ts";
import { tronAccount, tronAddress } from "../rules/address.ts";
import { tronNode } from "./node.ts";

const TOKEN: string = TRON_TOKENS.trc20;
const TRC20 = { ...TRC20_TRANSFER, contract: TOKEN };

let ledger: ScriptedTronLedger;
let node: ChainNode;
/** id of a transfer of the token that has landed */
let id: string;
beforeAll(async () => {
  ledger = await openTronLedger();
  await makeTronTokens(ledger);
  node = tronNode(tronEntryAt(ledger.node.url));
  id = await land(TRC20);
});
beforeEach(() => ledger.node.reset());
afterAll(() => ledger.stop());

const land = async (transfer: TronTransfer): Promise<string> => {
  const built = await node.build(tronIntent(authorisedTron(transfer)));
  const { signed, txHash } = withTronSignature(built.ok ? built.value.unsigned : expect.fail());
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await ledger.mine(5);
  return txHash;
};
/** A node's answer to a call while it is busy. */
const BUSY = { result: { code: "SERVER_BUSY", message: "" } };

const EVENT = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SOMEBODY = tronAddress(hexToBytes("0b".repeat(20)));
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const account = (address: string): string => bytesToHex(tronAccount(address));
const topic = (address: string): string => account(address).padStart(64, "0");
const [TRUE, FALSE] = [word(1n), word(0n)];

const moved = (to: string, amount: bigint, from = TRON_SENDER, contract = TOKEN) => ({
  address: account(contract),
  topics: [EVENT, topic(from), topic(to)],
  data: word(amount),
});
const given = (to: string, tokenId: bigint, contract = TOKEN) => ({
  address: account(contract),
  topics: [EVENT, topic(TRON_SENDER), topic(to), word(tokenId)],
});

/** Further parts of a call's record: its logs, and the call's result in hex. */
interface Reported {
  readonly logs?: readonly object[];
  readonly returned?: string;
}

/** The sighting of a transfer for which the node shows this record. */
const seen = async (
  transfer: TronTransfer | undefined,
  { logs = [], returned = TRUE }: Reported,
  more: object = {},
): Promise<Sighting> => {
  ledger.node.changes("/walletsolidity/gettransactioninfobyid", (info) => ({
    ...info,
    fee: 6_500_000,
    log: logs,
    contractResult: [returned],
    ...more,
  }));
  const sighting = await node.sight(id, transfer);
  return sighting.ok ? sighting.value : expect.fail(sighting.problem.message);
};

const MOVED = { kind: "included", succeeded: true, fee: 6_500_000n, isFinal: true };
const NOTHING = { kind: "included", succeeded: false, movedNothing: true, fee: 6_500_000n, isFinal: true };

describe("K3 a transfer of a TRC-20 token that the chain carried out", () => {
  it.each<[string, string]>([
    ["true", TRUE],
    ["false, as USDT of the main network does", FALSE],
    ["nothing", ""],
    ["no boolean at all", word(2_500_000n)],
  ])("moved when its event says so, whatever it returned: %s", async (_, returned) => {
    const sighting = await seen(TRC20, { logs: [moved(TRON_RECIPIENT, 2_500_000n)], returned });
    expect(sighting).toMatchObject(MOVED);
    expect("arrived" in sighting || "movedNothing" in sighting).toBe(false);
  });

  it.each<[string, Reported]>([
    ["nothing was written and it returned false", { returned: FALSE }],
    ["nothing was written and it returned nothing", { returned: "" }],
    ["nothing was written and it returned no boolean", { returned: word(2n) }],
    [
      "the event is of another token",
      { returned: FALSE, logs: [moved(TRON_RECIPIENT, 5n, TRON_SENDER, SOMEBODY)] },
    ],
    ["the event is of somebody else's", { returned: FALSE, logs: [moved(SOMEBODY, 2_500_000n)] }],
    ["the event is of nothing", { returned: FALSE, logs: [moved(TRON_RECIPIENT, 0n)] }],
    [
      "the log is another event of the token",
      {
        returned: FALSE,
        logs: [
          {
            ...moved(TRON_RECIPIENT, 5n),
            topics: ["ab".repeat(32), topic(TRON_SENDER), topic(TRON_RECIPIENT)],
          },
        ],
      },
    ],
    ["the event is one of a kind's", { returned: FALSE, logs: [given(TRON_RECIPIENT, 2_500_000n)] }],
  ])("moved nothing when %s", async (_, landing) => {
    expect(await seen(TRC20, landing)).toMatchObject({
      ...NOTHING,
      reason: "the token wrote no event of a transfer to the recipient, and did not return true",
    });
  });

  it("is believed that it moved when it wrote nothing and returned true: there is no other word of it", async () => {
    expect(await seen(TRC20, { returned: TRUE })).toMatchObject(MOVED);
  });

  it("tells what arrived where the token takes a fee, in one event or in several", async () => {
    const fee = moved(SOMEBODY, 25_000n);
    expect(await seen(TRC20, { logs: [moved(TRON_RECIPIENT, 2_475_000n), fee] })).toMatchObject({
      ...MOVED,
      arrived: 2_475_000n,
    });
    const parts = [moved(TRON_RECIPIENT, 2_000_000n), fee, moved(TRON_RECIPIENT, 400_000n, SOMEBODY)];
    expect(await seen(TRC20, { logs: parts })).toMatchObject({ ...MOVED, arrived: 2_400_000n });
  });

  it("is judged by the chain alone where nothing is expected of it, and keeps its reason when it was undone", async () => {
    expect(await seen(undefined, { returned: FALSE })).toMatchObject(MOVED);
    const undone = await seen(
      TRC20,
      {},
      {
        result: "FAILED",
        receipt: { result: "REVERT" },
        resMessage: Buffer.from("REVERT opcode executed").toString("hex"),
      },
    );
    expect(undone).toMatchObject({ succeeded: false, reason: "REVERT: REVERT opcode executed" });
    expect(undone).not.toHaveProperty("movedNothing");
  });
});

describe("K3 a transfer of a TRC-721 token that the chain carried out", () => {
  /** collections by the owner of all their tokens */
  const collections = new Map<string, string>();
  const ownedBy = (owner: string) => ({
    ...TRC721_TRANSFER,
    contract: collections.get(owner) ?? expect.fail(),
  });
  beforeAll(async () => {
    for (const owner of [TRON_SENDER, TRON_RECIPIENT, SOMEBODY]) {
      const code = contractOf({ "ownerOf(uint256)": CODE.answers(BigInt(`0x${account(owner)}`)) });
      collections.set(owner, await ledger.deploy(tronContract(code.slice(2))));
    }
  });

  it("moved when its event says so, and nobody is asked", async () => {
    const transfer = ownedBy(TRON_SENDER);
    const logs = [given(TRON_RECIPIENT, 7n, transfer.contract)];
    expect(await seen(transfer, { logs })).toMatchObject(MOVED);
    expect(ledger.calls("/wallet/triggerconstantcontract")).toEqual([]);
  });

  it.each<[string, (collection: string) => readonly object[]]>([
    ["nothing was written", () => []],
    ["another token was given", (collection) => [given(TRON_RECIPIENT, 8n, collection)]],
    ["it was given to another", (collection) => [given(SOMEBODY, 7n, collection)]],
    ["another collection wrote it", () => [given(TRON_RECIPIENT, 7n, SOMEBODY)]],
  ])("is the owner's word when %s", async (_, logsOf) => {
    const sightOf = async (owner: string) => {
      const transfer = ownedBy(owner);
      return seen(transfer, { logs: logsOf(transfer.contract) });
    };
    expect(await sightOf(TRON_SENDER)).toMatchObject({
      ...NOTHING,
      reason: "the wallet still owns the token",
    });
    // another owner: the token may have been passed on since
    for (const owner of [TRON_RECIPIENT, SOMEBODY]) expect(await sightOf(owner)).toMatchObject(MOVED);
  });

  it("is not judged while the node is busy", async () => {
    ledger.node.says("/wallet/triggerconstantcontract", () => BUSY);
    const sighting = await node.sight(id, TRC721_TRANSFER);
    expect(!sighting.ok && sighting.problem.code).toBe("ServiceUnavailable");
  });
});

it("K3 payments of the ledger's own coins are undone or move what they say", async () => {
  for (const transfer of [
    { ...TRX_TRANSFER, to: SOMEBODY },
    { ...TRC10_TRANSFER, tokenId: TRON_TOKENS.trc10 },
  ]) {
    const sighting = await node.sight(await land(transfer), transfer);
    expect(sighting).toMatchObject({ ok: true, value: { succeeded: true, fee: 1_100_000n } });
  }
});

describe("K2 a recipient, by what the chain shows of it", () => {
  const judged = async (transfer: TronTransfer): Promise<string> => {
    const answer = await node.judgeRecipient?.(transfer);
    if (answer === undefined || answer.ok) return "ok";
    return `${answer.problem.code}: ${String(answer.problem.details["why"] ?? answer.problem.message)}`;
  };
  const ALL = [TRX_TRANSFER, TRC10_TRANSFER, TRC20_TRANSFER, TRC721_TRANSFER];

  /** @param functions of the recipient's contract */
  const judgedAll = async (functions: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const to = await ledger.deploy(tronContract(contractOf(functions).slice(2)));
    return Promise.all(ALL.map((transfer) => judged({ ...transfer, to })));
  };

  it("may be an account, and one that is not there yet", async () => {
    const there = tronAddress(hexToBytes("0d".repeat(20)));
    await ledger.fund(there, 1);
    for (const to of [there, tronAddress(hexToBytes("0e".repeat(20)))]) {
      for (const transfer of ALL) expect(await judged({ ...transfer, to })).toBe("ok");
    }
  });

  it("is no contract for TRX and TRC-10 tokens, and no token's for any", async () => {
    const contract =
      "RecipientUnsuitable: a contract, which takes TRX and TRC-10 tokens by a call of its own alone";
    expect(await judgedAll({})).toEqual([contract, contract, "ok", "ok"]);
    // a total supply alone is no token: contracts of shares and others have one too
    const supply = { "totalSupply()": CODE.answers(1_000_000n) };
    expect(await judgedAll(supply)).toEqual([contract, contract, "ok", "ok"]);
    const token = "RecipientUnsuitable: the contract of a token, which gives none back";
    expect(await judgedAll({ ...supply, "balanceOf(address)": CODE.answers(0n) })).toEqual([
      contract,
      contract,
      token,
      token,
    ]);
  });

  it("is not judged while the node is away", async () => {
    ledger.node.spoilt.set("/wallet/getaccount", { status: 503, text: "" });
    expect(await judged(TRX_TRANSFER)).toContain("ServiceUnavailable");
    ledger.node.spoilt.clear();
    const to = await ledger.deploy(tronContract(contractOf({}).slice(2)));
    ledger.node.says("/wallet/triggerconstantcontract", (request) =>
      bodyOf(request)["function_selector"] === "supportsInterface(bytes4)" ? BUSY : undefined,
    );
    expect(await judged({ ...TRC20_TRANSFER, to })).toContain("ServiceUnavailable");
    expect(await judged({ ...TRC721_TRANSFER, to })).toBe("ok");
  });
});
