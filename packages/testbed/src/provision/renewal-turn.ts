import { join } from "node:path";
import type { StateLayout } from "../state/layout.ts";
import { TurnFile } from "../state/turn-file.ts";

/**
 * Takes the turn to write the roster or `ca.crt`: if two commands wrote at the same time, the later one would undo the
 * other's additions.
 */
export const takeRenewalTurn = (layout: StateLayout): TurnFile => {
  const turn = new TurnFile(join(layout.cluster, "renewing"));
  turn.take("renew-identity, renew-certificates or roster command");
  return turn;
};
