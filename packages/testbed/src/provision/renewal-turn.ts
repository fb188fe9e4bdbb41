import { join } from "node:path";
import type { StateLayout } from "../state/layout.ts";
import { TurnFile } from "../state/turn-file.ts";

/** The turn of whatever writes the roster or `ca.crt`: of two at once, the later would undo what the other has added. */
export const takeRenewalTurn = (layout: StateLayout): TurnFile => {
  const turn = new TurnFile(join(layout.cluster, "renewing"));
  turn.take("renew-identity, renew-certificates or roster command");
  return turn;
};
