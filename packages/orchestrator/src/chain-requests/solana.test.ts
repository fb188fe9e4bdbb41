import { SOLANA_SENDER, StubSolana, solanaBytes, stubBlockhash } from "@conclave/chains/testing";
import { WALLET_SAMPLES } from "@conclave/chains/testing/ledgers";
import type { ChainRequest } from "@conclave/custody";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { followOnce } from "../testing/follow-once.ts";
import { contentOf, describeTransfers, outageOf } from "../testing/transfer-suite.ts";
import { startWalletWorld, type WalletWorld } from "../testing/wallet-world.ts";

const sample = WALLET_SAMPLES.Solana;
const lamports = contentOf(sample, sample.native);

let world: WalletWorld;
let stub: StubSolana;

beforeEach(async () => {
  stub = await StubSolana.start();
  stub.accounts.set(SOLANA_SENDER, { lamports: 10_000_000_000n });
  world = await startWalletWorld(sample, stub.url);
});
afterEach(async () => {
  await Promise.all([world.close(), stub.stop()]);
});

/** Puts a request's transaction into the block of a slot. */
const landsIn = (
  { signedTransaction }: Pick<ChainRequest, "signedTransaction">,
  slot: bigint,
  err?: unknown,
) => {
  const transaction = signedTransaction ?? expect.fail("it is not signed");
  stub.landings.push({ slot, transaction, of: SOLANA_SENDER, ...(err === undefined ? {} : { err }) });
};
/** Makes the block of a request's transaction final, with the transaction in it. */
const finalise = (request: ChainRequest, err?: unknown) => {
  const isThere = stub.landings.some(({ transaction }) => transaction === request.signedTransaction);
  if (!isThere) landsIn(request, 5_001n, err);
  stub.slot = 5_033n;
  return { fee: sample.fee, blockNumber: 5_001n };
};
const UNSTORABLE = `\0x${"\u{1f600}".repeat(300)}`;

describeTransfers({
  sample,
  world: () => world,
  landings: [{ title: "lamports", transfer: lamports, signables: [["FROST-Ed25519", expect.any(Number)]] }],
  posted: () => stub.posted.map((bytes) => Buffer.from(bytes).toString("hex")),
  appear: (request) => {
    landsIn(request, 5_001n);
    stub.slot = 5_010n;
  },
  land: (request) => finalise(request),
  isIndependent: true,
  impossible: {
    transfer: { ...lamports, amount: "890879" },
    reason: expect.stringContaining("send at least 890880"),
  },
  outage: outageOf(() => stub),
  resendings: [
    {
      title: "the node's answer was lost",
      failures: [() => stub.spoilt.set("sendTransaction", { status: 502, text: "" })],
      takes: () => {
        stub.spoilt.clear();
        stub.refusal = "AlreadyProcessed";
      },
      posts: 2,
    },
  ],
  expiry: {
    title: "its blockhash is over and nothing of it landed",
    approach: () => {
      stub.refusal = "BlockhashNotFound";
      stub.slot = 5_151n;
    },
    pass: () => {
      stub.slot = 5_152n;
    },
    recover: () => {
      stub.refusal = undefined;
    },
  },
  reverting: {
    title: "the chain executed and reverted",
    transfer: lamports,
    land: (request) => finalise(request, { InstructionError: [2, { Custom: 1 }] }),
    failed: {
      fee: sample.fee,
      reason: 'the chain executed it and reverted it: {"InstructionError":[2,{"Custom":1}]}',
    },
  },
  lateLanding: {
    title: "its message landed with another signature",
    land: ({ txHash = "", signedTransaction = new Uint8Array(0) }) => {
      // the count of signatures, another one, and the very same message
      const other = signedTransaction.map((byte, at) => (at > 0 && at < 65 ? byte ^ 3 : byte));
      landsIn({ signedTransaction: other }, 5_020n);
      stub.refusal = "BlockhashNotFound";
      stub.slot = 5_200n;
      return {
        fee: sample.fee,
        blockNumber: 5_020n,
        signedTransaction: other,
        txHash: expect.not.stringContaining(txHash),
      };
    },
  },
  hostileWords: {
    transfer: lamports,
    revert: (request) => landsIn(request, 5_001n, UNSTORABLE),
    reason: "reverted",
    failures: [
      () => {
        const error = { code: -32_005, message: UNSTORABLE };
        stub.spoilt.set("", { status: 200, text: JSON.stringify({ jsonrpc: "2.0", id: 1, error }) });
      },
    ],
  },
});

describe("a caller's own bytes on Solana", () => {
  it("INV-4 that two requests hold are one transaction, of the first request alone", async () => {
    const bytes = solanaBytes({ blockhash: stubBlockhash(4_960n) });
    const [first, second] = [await world.enterBytes(bytes), await world.enterBytes(bytes)];
    expect(await world.carry(first)).toEqual({ kind: "Done" });
    await world.carry(second);
    expect(await world.read(second)).toMatchObject({
      status: "Failed",
      reason: "another request of the wallet has this very transaction",
    });
    landsIn(await world.read(first), 5_001n);
    stub.slot = 5_033n;
    await followOnce(world.handler);
    const third = await world.enterBytes(bytes);
    await world.carry(third);
    expect([(await world.read(first)).status, await world.read(third)]).toMatchObject([
      "Confirmed",
      { status: "Failed", reason: expect.stringContaining("the chain has this very transaction already") },
    ]);
    expect(world.asked.length).toBe(1);
  });
});
