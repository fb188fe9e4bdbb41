import type { OrganisationId } from "@conclave/custody";
import type { Dependencies } from "../dependencies.ts";

/**
 * Asks a chain's node about a contract of the caller's choice, for a request that can continue without the answer. The
 * question takes a turn among the organisation's few concurrent contract questions, as the caller's contract decides
 * how long the node takes.
 * @returns undefined where there is no turn, as when a node does not answer
 */
export const inContractTurn = async <T>(
  { contractTurns }: Pick<Dependencies, "contractTurns">,
  orgId: OrganisationId,
  ask: () => Promise<T>,
): Promise<T | undefined> => {
  const turn = await contractTurns.take(orgId);
  if ("refused" in turn) return undefined;
  try {
    return await ask();
  } finally {
    turn.end();
  }
};
