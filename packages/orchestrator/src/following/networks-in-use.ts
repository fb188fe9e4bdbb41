import type { Network, World } from "@conclave/custody";

/** How long a result is reused, so that followers of many networks, which ask together, cost one query. */
const BELIEVED_MS = 250;

export interface NetworksInUse {
  /** Whether a wallet of the network can send or be paid; only then its node is queried. */
  isUsed(network: Network): Promise<boolean>;
}

export interface NetworksLook {
  readonly world: Pick<World, "monotonicMs">;
  readonly networks: readonly Network[];
  /** @returns those of the networks that have wallets */
  readonly followedNetworks: (networks: readonly Network[]) => Promise<readonly Network[]>;
}

/**
 * Finds out which networks are used, with one query for all that ask at about the same time. A network that was used
 * once counts as used for ever.
 */
export const networksInUse = ({ world, networks, followedNetworks }: NetworksLook): NetworksInUse => {
  const used = new Set<Network>();
  let lookedMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const found = await followedNetworks(networks.filter((network) => !used.has(network)));
    for (const network of found) used.add(network);
  };
  return {
    isUsed: async (network) => {
      if (used.has(network)) return true;
      const nowMs = world.monotonicMs();
      if (nowMs - lookedMs > BELIEVED_MS) {
        lookedMs = nowMs;
        looking = look();
      }
      await looking;
      return used.has(network);
    },
  };
};
