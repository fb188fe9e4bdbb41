import { type ChainMove, moveChain } from "@conclave/testbed";
import { runningDescription } from "../../running-description.ts";

/**
 * `conclave chain …`: makes blocks on a local network, moves its clock, or replaces its latest blocks; prints the latest
 * block's height and time.
 * @param state the cluster's state folder
 * @throws LaunchError when no cluster runs there, the network has no local node, or the node refuses
 */
export const moveLocalChain = async (state: string, network: string, move: ChainMove): Promise<void> => {
  const { height, time } = await moveChain(runningDescription(state).networks, network, move);
  process.stdout.write(`${network} is at block ${height}\n`);
  process.stdout.write(`its time is ${time.toISOString().replace(".000Z", "Z")}\n`);
};
