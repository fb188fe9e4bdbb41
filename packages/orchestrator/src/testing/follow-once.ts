import { networkSchema } from "@conclave/custody";
import { followedNetworks } from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import { type Follower, type FollowWork, makeFollower } from "../following/follower.ts";

/** Runs one round, and waits for its looks. */
export const followRound = async (follower: Follower): Promise<void> => {
  await follower.round();
  await follower.looked();
};

/** Runs one round on each network, as a new process. */
export const followOnce = async ({
  chains,
  ...work
}: Pick<FollowWork, "database" | "logger" | "gathered"> & {
  readonly chains: ReadonlyMap<string, ServedChain>;
}): Promise<void> => {
  for (const [name, chain] of chains) {
    const { database, logger, gathered } = work;
    const network = networkSchema.parse(name);
    const isUsed = async () => (await followedNetworks(database, [network])).length > 0;
    await followRound(
      makeFollower({ database, logger, chain, network, isUsed, world: processWorld, gathered }),
    );
  }
};
