import type { OrganisationId } from "@conclave/custody";
import type { Dependencies } from "../dependencies.ts";

/**
 * Asks a chain's node about a contract of the caller's choice, for a request that goes on without the answer, too: beside the same few of its
 * organisation that ask contracts and nothing else. How long the node takes is the caller's doing.
 * @returns undefined where there is no turn, as of a node that does not answer
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
