import { type Load, QUIET_PLAN } from "@conclave/chaos";
import { ACCOUNTS_NETWORK, COINS_NETWORK } from "../chain/world-networks.ts";
import { chanceOf } from "../time/chance-of.ts";
import type { Profile } from "./profile.ts";

const PER_SECOND = 2;
/** A rush asks for all transfers within 0.2 s, a hundred a second at most, so that several of a wallet choose their coins at once. */
const [RUSH_SHARE_A_SECOND, RUSH_MAX, RUSH_WALLETS] = [5, 100, 2];

/**
 * Draws the networks of a world by a chance of their own, so that the rest of its plan is drawn the same whatever they are. Half of the
 * worlds of coins are rushed: their transfers are asked for at nearly one time.
 * @param seed a whole number
 * @param transfers of the world
 */
export const drawNetworks = (
  seed: number,
  transfers: number,
  { coins }: Pick<Profile, "coins">,
): Pick<Load, "networks" | "perSecond" | "wallets"> => {
  const chance = chanceOf(String(seed), "networks");
  const { wallets } = QUIET_PLAN.load;
  if (chance.share() >= coins) return { networks: [ACCOUNTS_NETWORK], perSecond: PER_SECOND, wallets };
  const networks = chance.of([[COINS_NETWORK], [ACCOUNTS_NETWORK, COINS_NETWORK]]);
  if (chance.share() < 0.5) return { networks, perSecond: PER_SECOND, wallets };
  return { networks, perSecond: Math.min(RUSH_MAX, transfers * RUSH_SHARE_A_SECOND), wallets: RUSH_WALLETS };
};
