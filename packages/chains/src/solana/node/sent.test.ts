import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChainNode } from "../../chain.ts";
import {
  authorisedSolana,
  SOL_TRANSFER,
  SOLANA_DEVNET,
  SOLANA_KEY,
  SOLANA_SENDER,
} from "../../testing/solana-samples.ts";
import { StubSolana } from "../../testing/stub-solana.ts";
import { attachSolanaSignature } from "../attach.ts";
import { messageOf } from "../message/message.ts";
import { solanaNode } from "./node.ts";

const ACT = authorisedSolana(SOL_TRANSFER);

let stub: StubSolana;
let node: ChainNode;
beforeEach(async () => {
  stub = await StubSolana.start();
  node = solanaNode({ ...SOLANA_DEVNET, solanaUrl: stub.url });
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
});
afterEach(() => stub.stop());

/** Somebody has transactions listed with the account: dust that it was paid. */
const listed = (many: number): void => {
  stub.slot += 1n;
  for (let at = 0; at < many; at += 1) {
    const transaction = new Uint8Array(80).fill(2, 0, 1);
    new DataView(transaction.buffer).setUint32(1, stub.landings.length);
    stub.landings.push({ slot: stub.slot, transaction, of: SOLANA_SENDER });
  }
};

const landed = async () => {
  const built = await node.build({
    sender: SOLANA_SENDER,
    keys: [SOLANA_KEY.publicKey],
    act: ACT,
    priority: undefined,
    sequencing: { kind: "next", lowest: 0n },
  });
  if (!built.ok) return expect.fail(built.problem.message);
  const { unsigned } = built.value;
  const { publicKey } = SOLANA_KEY;
  const attached = attachSolanaSignature(unsigned, [SOLANA_KEY.sign(messageOf(unsigned))], [publicKey]);
  if (!attached.ok) return expect.fail(attached.problem.message);
  stub.landings.push({ slot: stub.slot, transaction: attached.value.signed, of: SOLANA_SENDER });
  return attached.value.txHash;
};

const find = async (wanted: string | undefined) =>
  (await node.findSent?.(SOLANA_SENDER, {
    act: ACT,
    sinceMs: 0,
    places: undefined,
    isIt: async ({ txHash }) => txHash === wanted,
  })) ?? expect.fail("it finds nothing");

const read = (): readonly unknown[] =>
  stub.asked.flatMap(({ method, params }) => (method === "getTransaction" ? [params[0]] : []));

describe("INV-4 the history that a Solana account has sent", () => {
  it("is read once, however many requests look for theirs among what others have listed", async () => {
    listed(20);
    const txHash = await landed();
    listed(20);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    for (let request = 0; request < 5; request += 1) expect(await find("another")).toEqual({ ok: true });
    listed(1);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    expect([read().length, new Set(read()).size]).toEqual([42, 42]);
  });

  it("is found behind hundreds that somebody has listed, look by look", async () => {
    const txHash = await landed();
    listed(600);
    expect(await find(txHash)).toMatchObject({ ok: false, problem: { code: "ServiceUnavailable" } });
    // transactions that come meanwhile end no search
    listed(100);
    expect(await find(txHash)).toMatchObject({ ok: true, value: { txHash } });
    expect(read().length).toBe(new Set(read()).size);
  });
});
