import { base58, base64 } from "@scure/base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import { got } from "../../testing/conformance/plain-wallet.ts";
import {
  openSolanaLedger,
  type ScriptedSolanaLedger,
  solanaEntryAt,
} from "../../testing/ledgers/solana-ledger.ts";
import { rpcCallOf } from "../../testing/scripted-node.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_SENDER,
  solanaIntent,
  withSolanaSignature,
} from "../../testing/solana-samples.ts";
import { solanaNode } from "./node.ts";

const ACT = authorisedSolana(SOL_TRANSFER);
/** lamports that somebody pays the account, so that a transaction is listed for it */
const DUST = 1_000_000;

let ledger: ScriptedSolanaLedger;
let node: ChainNode;
beforeEach(async () => {
  ledger = await openSolanaLedger();
  node = solanaNode(solanaEntryAt(ledger.node.url));
});
afterEach(() => ledger.stop());

/** Pays dust to the account this many times. */
const paid = async (many: number): Promise<void> => {
  for (let at = 0; at < many; at += 1) {
    await ledger.admin("fund", { address: SOLANA_SENDER, amount: DUST });
  }
  await ledger.mine(2);
};

const landed = async (): Promise<string> => {
  const { signed, txHash } = withSolanaSignature(got(await node.build(solanaIntent(ACT))).unsigned);
  expect(await node.broadcast(signed)).toEqual({ kind: "accepted" });
  await ledger.mine(2);
  return txHash;
};

/** Makes the node list this many more transactions before all others, each with two signers, so that none is ours. */
const listsMore = (many: number): void => {
  const ids = Array.from({ length: many }, (_, at) => {
    const bytes = new Uint8Array(64).fill(2);
    new DataView(bytes.buffer).setUint32(0, many * 1_000 + at);
    return base58.encode(bytes);
  });
  ledger.changes("getSignaturesForAddress", (listed, [, config]) => {
    const [last, ...others] = [...Object(listed)];
    return "before" in Object(config)
      ? undefined
      : [...ids.map((signature) => ({ ...last, signature })), last, ...others];
  });
  const transaction = [base64.encode(new Uint8Array(80).fill(2)), "base64"];
  ledger.node.says("getTransaction", (request) =>
    ids.some((id) => id === rpcCallOf(request).params[0])
      ? { jsonrpc: "2.0", id: 1, result: { slot: 40, transaction } }
      : undefined,
  );
};

const find = async (wanted: string | undefined) =>
  (await node.findSent?.(SOLANA_SENDER, {
    act: ACT,
    sinceMs: 0,
    places: undefined,
    isIt: async ({ txHash }) => txHash === wanted,
  })) ?? expect.fail("it finds nothing");

const read = (): readonly unknown[] => ledger.calls("getTransaction").map(([id]) => id);

describe("INV-4 the history that a Solana account has sent", () => {
  it("is read once, however many requests look for theirs among what others have listed", async () => {
    await paid(20);
    const txHash = await landed();
    await paid(20);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    for (let request = 0; request < 5; request += 1) expect(await find("another")).toEqual({ ok: true });
    await paid(1);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    // including the payment that opened the ledger
    expect([read().length, new Set(read()).size]).toEqual([43, 43]);
  });

  it("is found behind hundreds that somebody has listed, look by look", async () => {
    const txHash = await landed();
    listsMore(600);
    expect(await find(txHash)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    // new transactions do not end the search
    listsMore(100);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    expect(read().length).toBe(new Set(read()).size);
  });
});
