import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type ApiWallet,
  type Cluster,
  carryOutOrder,
  type OrderService,
  repositoryRoot,
  serveOrders,
  waitUntil,
} from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshReceiver, makeFundedWallet } from "../integration/funded-wallet.ts";
import { PATIENCE_MS } from "../integration/patience.ts";
import { SignerAccess } from "../integration/signer-access.ts";
import { startCluster, stateFolder } from "../integration/throw-away-cluster.ts";

let cluster: Cluster;
let orders: OrderService;
let wallet: ApiWallet;
beforeAll(async () => {
  cluster = await startCluster({ state: stateFolder(), presignatures: 1 });
  orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
  wallet = await makeFundedWallet(cluster);
});
afterAll(async () => {
  await orders?.close();
  await cluster?.stop();
});

let payments = 0;
/** Pays once: a client whose gateway restarts asks again, under the same externalId. */
const pay = async (): Promise<void> => {
  payments += 1;
  const body = { kind: "Native", to: freshReceiver(), amount: "1", externalId: `pay-${payments}` } as const;
  const asked = await waitUntil(
    () =>
      cluster.api.transfer(wallet.id, body).catch((cause: unknown) => {
        if (cause instanceof TypeError) return undefined; // fetch: nobody listens
        throw cause;
      }),
    { what: "the gateway to take a transfer", deadlineMs: PATIENCE_MS },
  );
  await cluster.api.confirmed(asked, PATIENCE_MS);
};

/** Pays one transfer after the other until it is ended. @returns how many were paid */
const paying = () => {
  let isEnded = false;
  const paid = (async () => {
    let count = 0;
    while (!isEnded) {
      await pay();
      count += 1;
    }
    return count;
  })();
  return {
    end: () => {
      isEnded = true;
      return paid;
    },
  };
};

/** In which epoch of the wallet's key the signers are that hold it, by their ids. */
const holders = async (): Promise<ReadonlyMap<string, number>> => {
  const signers = await SignerAccess.open(cluster);
  try {
    return new Map(
      [...(await signers.holdings())].flatMap(([id, held]) => {
        const key = held.find(({ keyId, state }) => keyId === wallet.signingKey.id && state === "active");
        return key === undefined ? [] : [[id, key.epoch] as const];
      }),
    );
  } finally {
    signers.close();
  }
};

const named = (...indices: readonly number[]) => indices.map((index) => `signer-${index}`);

/** An operator's command, and its output. */
const conclave = async (...words: readonly string[]): Promise<string> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [main, ...words, "--state", cluster.layout.root],
    { timeout: PATIENCE_MS },
  );
  return stdout;
};

const change = async (...words: readonly string[]): Promise<void> => {
  expect(await conclave("roster", "change", ...words)).toMatch(/done: \d+ keys? moved\n(.*\n)*.*is over\n$/);
};

/** A wallet with a key that is made now. */
const makeWallet = (name: string): Promise<ApiWallet> =>
  cluster.api.createWallet(cluster.description.chain.network, name);

const expectHolders = async (...indices: readonly number[]): Promise<void> => {
  const held = await holders();
  expect([...held.keys()].sort()).toEqual(named(...indices));
  expect(new Set(held.values()).size).toBe(1);
};

describe("the roster of a running cluster", () => {
  it.each<[string, readonly string[], readonly number[]]>([
    ["from 3 of 5 to 3 of 6", ["--add", "1"], [1, 2, 3, 4, 5, 6]],
    ["on to 4 of 7", ["--add", "1", "--threshold", "4"], [1, 2, 3, 4, 5, 6, 7]],
    [
      "and back to 2 of 3",
      [...named(1, 3, 5, 6).flatMap((id) => ["--remove", id]), "--threshold", "2"],
      [2, 4, 7],
    ],
  ])("INV-5 goes %s while transfers are paid", async (_, words, indices) => {
    const during = paying();
    await change(...words);
    expect(await during.end()).toBeGreaterThan(0);
    await expectHolders(...indices);
    await pay();
    expect((await makeWallet(words.join(" "))).address).toMatch(/^0x/);
  });

  it("puts a signer out that keeps the others from every new key and every refresh", async () => {
    cluster.pause("signer-4");
    await expect(conclave("refresh")).rejects.toThrow(/signer-4 to answer/);
    await pay();
    await change("--lost", "signer-4", "--add", "1");
    await expectHolders(2, 7, 8);
    expect(await conclave("refresh")).toMatch(/done: \d+ keys refreshed\n$/);
    await pay();
    expect((await makeWallet("without it")).address).toMatch(/^0x/);
    expect(await conclave("roster", "show")).toMatch(/signer-4/);
  });
});
