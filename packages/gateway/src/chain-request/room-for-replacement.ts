import { replacesTransactions } from "@conclave/chains";
import {
  type ChainRequest,
  REPLACEMENTS_MAX,
  type ReplacementRoom,
  replacementRoomAfter,
} from "@conclave/custody";
import { type Connection, listReplaced } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** Reads how many more replacements a place allows. @param holder the request that holds the place now */
export const roomForReplacement = async (
  { families }: Pick<Dependencies, "families">,
  connection: Connection,
  { id, network }: Pick<ChainRequest, "id" | "network">,
): Promise<ReplacementRoom> => {
  if (!replacesTransactions(families.familyOf(network))) return "never";
  const [, ...replaced] = await listReplaced(connection, id, REPLACEMENTS_MAX + 2);
  return replacementRoomAfter(replaced.length);
};
