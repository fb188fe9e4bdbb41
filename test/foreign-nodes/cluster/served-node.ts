import type { CustodyApi } from "@conclave/testbed";
import { type AnyWallet, openWallet } from "@conclave/testbed/families";
import type { FoundKind } from "../find.ts";
import { type Front, startFront } from "../front.ts";
import type { ForeignKind, RunningNode } from "../node.ts";
import { type BlockClock, startBlockClock } from "./block-clock.ts";
import { startFaucet } from "./faucet.ts";

/** A foreign node with which a cluster serves a network. */
export interface ServedNode {
  readonly kind: ForeignKind;
  readonly node: RunningNode;
  readonly front: Front;
  readonly clock: BlockClock;
  readonly urls: { readonly url: string; readonly adminUrl: string };
  readonly entry: ReturnType<RunningNode["entry"]>;
  close(): Promise<void>;
}

/** Starts a node, its block clock, and the proxy between it and a cluster. */
export const serveNode = async ({ kind, path }: FoundKind): Promise<ServedNode> => {
  const node = await kind.start(path, "ours");
  const front = await startFront(node.urlOf ?? (() => node.url), kind.rules);
  const faucet = await startFaucet(node);
  const clock = startBlockClock(node, kind.makesBlocks);
  return {
    kind,
    node,
    front,
    clock,
    urls: { url: front.url, adminUrl: faucet.url },
    entry: node.entry(kind.network, front.url),
    close: async () => {
      await clock.stop();
      await faucet.close();
      await front.close();
      await node.stop();
    },
  };
};

/** A new wallet with coins. */
export const fundedWallet = async (api: CustodyApi, { kind, node, urls }: ServedNode): Promise<AnyWallet> => {
  const wallet = await openWallet(api, urls, kind.network);
  await node.fund(wallet.address, kind.funds);
  return wallet;
};
