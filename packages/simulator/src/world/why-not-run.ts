import type { ChaosPlan } from "@conclave/chaos";
import { WORLD_NETWORKS } from "../chain/world-networks.ts";

/** Why a plan cannot be run in a world; undefined when it can. */
export const whyNotRun = ({ load: { networks } }: ChaosPlan): string | undefined => {
  const strange = networks.filter((network) => !WORLD_NETWORKS.includes(network));
  return strange.length === 0
    ? undefined
    : `A world has the networks ${WORLD_NETWORKS.join(" and ")}: let the load of the plan be on these, not on ${strange.join(", ")}.`;
};
