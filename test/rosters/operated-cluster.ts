import {
  type ApiWallet,
  type Cluster,
  type ClusterRequest,
  carryOutOrder,
  serveOrders,
  waitUntil,
} from "@conclave/testbed";
import { expect } from "vitest";
import { freshReceiver, makeFundedWallet } from "../integration/funded-wallet.ts";
import { conclave, type Said } from "../integration/liars/operators-command.ts";
import { PATIENCE_MS } from "../integration/patience.ts";
import { SignerAccess } from "../integration/signer-access.ts";
import { startCluster } from "../integration/throw-away-cluster.ts";

/** Transfers paid in sequence until a test stops them. */
export interface Payments {
  /** resolves to the number of payments */
  end(): Promise<number>;
}

/** A cluster as `conclave up` runs it, which obeys its operator's commands. One of its wallets pays. */
export class OperatedCluster {
  readonly cluster: Cluster;
  readonly wallet: ApiWallet;
  readonly #stop: () => Promise<void>;
  #payments = 0;

  private constructor(cluster: Cluster, wallet: ApiWallet, stop: () => Promise<void>) {
    this.cluster = cluster;
    this.wallet = wallet;
    this.#stop = stop;
  }

  static async start(request: Partial<ClusterRequest>): Promise<OperatedCluster> {
    const cluster = await startCluster(request);
    const orders = await serveOrders(cluster.layout.run, (order, say) => carryOutOrder(cluster, order, say));
    const stop = async (): Promise<void> => {
      await orders.close();
      await cluster.stop();
    };
    return new OperatedCluster(cluster, await makeFundedWallet(cluster), stop);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Runs the operator's command. @returns its outcome and output */
  conclave(...words: readonly string[]): Promise<Said> {
    return conclave({}, ...words, "--state", this.cluster.layout.root);
  }

  /** Changes the roster, and expects the change to complete. @returns the output */
  async change(...words: readonly string[]): Promise<string> {
    const { code, out } = await this.conclave("roster", "change", ...words);
    expect(out).toMatch(/done: \d+ keys? moved\n(.*\n)*.*is over\n$/);
    expect(code).toBe(0);
    return out;
  }

  /** Pays once; like a client whose gateway restarts, it repeats the request with the same externalId. */
  async pay(): Promise<void> {
    this.#payments += 1;
    const externalId = `pay-${this.#payments}`;
    const body = { kind: "Native", to: freshReceiver(), amount: "1", externalId } as const;
    const { api } = this.cluster;
    const asked = await waitUntil(
      () =>
        api.transfer(this.wallet.id, body).catch((cause: unknown) => {
          if (cause instanceof TypeError) return undefined; // fetch: connection refused
          throw cause;
        }),
      { what: "the gateway to take a transfer", deadlineMs: PATIENCE_MS },
    );
    await api.confirmed(asked, PATIENCE_MS);
  }

  /** Pays one transfer after another until stopped. */
  paying(): Payments {
    let isEnded = false;
    const paid = (async () => {
      let count = 0;
      while (!isEnded) {
        await this.pay();
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
  }

  /** A wallet with a new key. */
  makeWallet(name: string): Promise<ApiWallet> {
    return this.cluster.api.createWallet(this.cluster.description.chain.network, name);
  }

  /** Expects exactly these signers to hold the wallet's key, all in one epoch. */
  async expectHolders(...indices: readonly number[]): Promise<void> {
    const held = await this.#holders();
    expect([...held.keys()].sort()).toEqual(indices.map((index) => `signer-${index}`));
    expect(new Set(held.values()).size).toBe(1);
  }

  /** The epoch of the wallet's key at each signer that holds it, by the signer's id. */
  async #holders(): Promise<ReadonlyMap<string, number>> {
    const signers = await SignerAccess.open(this.cluster);
    try {
      return new Map(
        [...(await signers.holdings())].flatMap(([id, held]) => {
          const key = held.find(
            ({ keyId, state }) => keyId === this.wallet.signingKey.id && state === "active",
          );
          return key === undefined ? [] : [[id, key.epoch] as const];
        }),
      );
    } finally {
      signers.close();
    }
  }
}
