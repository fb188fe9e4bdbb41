import {
  type ApiWallet,
  beginRosterChange,
  type Cluster,
  finishRosterChange,
  waitUntil,
} from "@conclave/testbed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moveKeys } from "../../packages/cli/src/operator/move-keys.ts";
import { freshReceiver, makeFundedWallet } from "./funded-wallet.ts";
import { PATIENCE_MS } from "./patience.ts";
import { SignerAccess } from "./signer-access.ts";
import { startCluster, stateFolder } from "./throw-away-cluster.ts";

let cluster: Cluster;
let wallet: ApiWallet;
beforeAll(async () => {
  cluster = await startCluster({ state: stateFolder(), presignatures: 1 });
  wallet = await makeFundedWallet(cluster);
});
afterAll(() => cluster?.stop());

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

interface Change {
  readonly add?: number;
  readonly remove?: readonly string[];
  readonly putOut?: Parameters<typeof beginRosterChange>[1]["putOut"];
  readonly threshold?: number;
}

const change = async (asked: Change): Promise<void> => {
  const { root } = cluster.layout;
  await beginRosterChange(root, { add: 0, remove: [], putOut: [], ...asked });
  await cluster.applyRoster();
  await moveKeys({ state: root, databaseUrl: undefined });
  await finishRosterChange(root);
  await cluster.applyRoster();
};

describe("the roster of a running cluster", () => {
  it.each<[string, Change, readonly string[]]>([
    ["from 3 of 5 to 3 of 6", { add: 1 }, named(1, 2, 3, 4, 5, 6)],
    ["to 4 of 7", { add: 1, threshold: 4 }, named(1, 2, 3, 4, 5, 6, 7)],
    ["and back to 2 of 3", { remove: named(1, 3, 5, 6), threshold: 2 }, named(2, 4, 7)],
  ])("INV-5 goes %s while transfers are paid", async (_, asked, expected) => {
    const during = paying();
    await change(asked);
    expect(await during.end()).toBeGreaterThan(0);
    const held = await holders();
    expect([...held.keys()].sort()).toEqual([...expected].sort());
    expect(new Set(held.values()).size).toBe(1);
    await pay();
    const made = await makeFundedWallet(cluster, "after");
    expect(made.address).toMatch(/^0x/);
  });
});
