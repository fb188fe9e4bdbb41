import type { CommandKind } from "@conclave/cluster";
import type { ApiTransfer, ApiWallet, Cluster } from "@conclave/testbed";
import { Transaction } from "ethers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { signingOf } from "./service-log.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster } from "./throw-away-cluster.ts";

const ALL = ["signer-1", "signer-2", "signer-3", "signer-4", "signer-5"];

let cluster: Cluster;
let signers: SignerAccess;
beforeAll(async () => {
  cluster = await startCluster();
  signers = await SignerAccess.open(cluster);
});
afterAll(async () => {
  signers?.close();
  await cluster?.stop();
});

const send = (wallet: ApiWallet): Promise<ApiTransfer> =>
  cluster.api.transfer(wallet.id, { kind: "Native", to: freshReceiver(), amount: "1000" });

/** A signer with an open session of this protocol; undefined if the awaited operation ends before one is seen. */
const someoneIn = async (
  protocol: CommandKind,
  among: readonly string[],
  asked: Promise<unknown>,
): Promise<string | undefined> => {
  let isOver = false;
  const note = (): void => {
    isOver = true;
  };
  asked.then(note, note);
  while (!isOver) {
    const answers = await Promise.all(
      among.map(async (id) => ({ id, isIn: await signers.isInSession(id, protocol) })),
    );
    const found = answers.find(({ isIn }) => isIn);
    if (found !== undefined) return found.id;
  }
  return undefined;
};

/** Most tries: a session may end before the fault hits the signer seen in it; such a try is discarded. */
const TRIES_MAX = 20;

/** Repeats an attempt until it succeeds. */
const untilCaught = async <Found>(attempt: () => Promise<Found | undefined>): Promise<Found> => {
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const found = await attempt();
    if (found !== undefined) return found;
  }
  throw new Error(`no signer was caught in a session in ${TRIES_MAX} tries`);
};

/** Sends transfers until a fault hits a signer while it signs one. @returns facts of that transfer after its confirmation */
const signingWithout = (
  happen: (victim: string) => Promise<void> | void,
  undo: (victim: string) => Promise<void> | void,
) =>
  untilCaught(async () => {
    const wallet = await makeFundedWallet(cluster);
    const asked = cluster.api.confirmed(await send(wallet), PATIENCE_MS);
    const victim = await someoneIn("signing", ALL, asked);
    if (victim === undefined) return undefined;
    await happen(victim);
    const { quorum, attempts } = signingOf(cluster.layout, (await asked).id);
    const transactions = await cluster.chain.transactionCount(wallet.address);
    await undo(victim);
    await cluster.ready();
    return attempts === 1 ? undefined : { victim, quorum, transactions };
  });

const nonceOf = async ({ txHash }: ApiTransfer): Promise<number> => {
  if (txHash === undefined) throw new Error("a confirmed transfer has a hash");
  return Transaction.from(await cluster.chain.rawTransaction(txHash)).nonce;
};

describe("a signer that is killed while it signs", () => {
  it("INV-5 INV-4 is replaced: another quorum signs, and one transaction is on chain", async () => {
    const { victim, quorum, transactions } = await signingWithout(
      (signer) => cluster.kill(signer),
      (signer) => cluster.restart(signer),
    );
    expect(quorum.map((index) => `signer-${index}`)).not.toContain(victim);
    expect(transactions).toBe(1);
  });
});

describe("a signer that hangs while it signs", () => {
  it("INV-5 INV-4 is replaced: another quorum signs, and one transaction is on chain", async () => {
    const { transactions } = await signingWithout(
      (signer) => cluster.pause(signer),
      (signer) => cluster.resume(signer),
    );
    expect(transactions).toBe(1);
  });
});

describe("key generation with a signer down", () => {
  it("is a 503 that names the signer, leaves nothing behind, and works once it is back", async () => {
    const before = await signers.keys();
    await cluster.kill("signer-4");
    const { network } = cluster.description.chain;
    const answer = await cluster.api.send("POST", "/wallets", { network, name: "too early" });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { details: { code: "SignersUnavailable", unavailable: ["signer-4"] } } },
    });
    await cluster.restart("signer-4");
    await cluster.ready();
    expect(await signers.keys()).toEqual(before);
    const wallet = await makeFundedWallet(cluster);
    await cluster.api.confirmed(await send(wallet), PATIENCE_MS);
  });
});

describe("a signer that is killed during key generation", () => {
  it("is a 503 that names it; nothing half-made stays on any signer once it is back", async () => {
    const { network } = cluster.description.chain;
    const { before, answer } = await untilCaught(async () => {
      const before = await signers.keys();
      const asked = cluster.api.send("POST", "/wallets", { network, name: "interrupted" });
      const victim = await someoneIn("key-generation", ["signer-2"], asked);
      if (victim === undefined) return undefined;
      await cluster.kill(victim);
      const answer = await asked;
      await cluster.restart(victim);
      await cluster.ready();
      return answer.status === 200 ? undefined : { before, answer };
    });
    expect(answer).toMatchObject({ status: 503, body: { error: { details: {} } } });
    expect(JSON.stringify(answer.body)).toContain("signer-2");
    await vi.waitFor(async () => expect(await signers.keys()).toEqual(before), { timeout: PATIENCE_MS });
    await cluster.api.confirmed(await send(await makeFundedWallet(cluster)), PATIENCE_MS);
  });
});

describe("with only two signers live, of the three needed", () => {
  const WAITS = "waiting for signers: 2 of the 3 needed are live; signer-1, signer-3, signer-5 do not answer";

  it("INV-5 transfers wait with a reason that names the missing, and are confirmed in order once one is back", async () => {
    const wallet = await makeFundedWallet(cluster);
    await Promise.all(["signer-1", "signer-3", "signer-5"].map((id) => cluster.kill(id)));
    const waits = ({ status, reason }: ApiTransfer) => status === "Executing" && reason === WAITS;
    const first = await cluster.api.follow(await send(wallet), waits, PATIENCE_MS);
    const second = await cluster.api.follow(await send(wallet), waits, PATIENCE_MS);
    expect(await cluster.chain.transactionCount(wallet.address)).toBe(0);
    await cluster.restart("signer-3");
    const done = await Promise.all(
      [first, second].map((transfer) => cluster.api.confirmed(transfer, PATIENCE_MS)),
    );
    expect(await Promise.all(done.map(nonceOf))).toEqual([0, 1]);
    expect(done.map(({ reason }) => reason)).toEqual([undefined, undefined]);
    expect(await cluster.chain.transactionCount(wallet.address)).toBe(2);
    await Promise.all(["signer-1", "signer-5"].map((id) => cluster.restart(id)));
    await cluster.ready();
  });
});
