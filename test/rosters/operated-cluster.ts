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

/** Transfers that are paid one after the other until somebody ends it. */
export interface Payments {
  /** resolves with how many were paid */
  end(): Promise<number>;
}

/** A cluster that runs as `conclave up` runs one: it obeys its operator's commands. One wallet of it pays. */
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

  /** The operator's command, and its output. */
  conclave(...words: readonly string[]): Promise<Said> {
    return conclave({}, ...words, "--state", this.cluster.layout.root);
  }

  /** Changes the roster, and requires that the change is over. @returns what is printed */
  async change(...words: readonly string[]): Promise<string> {
    const { code, out } = await this.conclave("roster", "change", ...words);
    expect(out).toMatch(/done: \d+ keys? moved\n(.*\n)*.*is over\n$/);
    expect(code).toBe(0);
    return out;
  }

  /** Pays once: a client whose gateway restarts asks again, under the same externalId. */
  async pay(): Promise<void> {
    this.#payments += 1;
    const externalId = `pay-${this.#payments}`;
    const body = { kind: "Native", to: freshReceiver(), amount: "1", externalId } as const;
    const { api } = this.cluster;
    const asked = await waitUntil(
      () =>
        api.transfer(this.wallet.id, body).catch((cause: unknown) => {
          if (cause instanceof TypeError) return undefined; // fetch: nobody listens
          throw cause;
        }),
      { what: "the gateway to take a transfer", deadlineMs: PATIENCE_MS },
    );
    await api.confirmed(asked, PATIENCE_MS);
  }

  /** Pays one transfer after the other until it is ended. */
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

  /** A wallet with a key that is made now. */
  makeWallet(name: string): Promise<ApiWallet> {
    return this.cluster.api.createWallet(this.cluster.description.chain.network, name);
  }

  /** Requires that these signers, and no others, hold the wallet's key, all in one epoch. */
  async expectHolders(...indices: readonly number[]): Promise<void> {
    const held = await this.#holders();
    expect([...held.keys()].sort()).toEqual(indices.map((index) => `signer-${index}`));
    expect(new Set(held.values()).size).toBe(1);
  }

  /** In which epoch of the wallet's key the signers are that hold it, by their ids. */
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
