import {
  type Problem,
  type ReplacementChain,
  requestStageOf,
  transactionIdSchema,
  transferIdSchema,
} from "@conclave/custody";
import {
  type AliveTransaction,
  type Database,
  readChainRequest,
  readReplacementChain,
  replacedBefore,
} from "@conclave/platform";
import { z } from "zod";

const requestIdSchema = z.union([transferIdSchema, transactionIdSchema]);

/** Details of a builder that waits for the coins of others of `alive`: their indices, the one that frees the most first. */
const awaitingSchema = z.object({ awaits: z.array(z.number().int().nonnegative()) });

/**
 * The reason why a request cannot be built yet, with the gathering whose coins it waits for and what its owner can do
 * to free them.
 * @param alive the list that the builder received
 * @returns the problem's own message where it waits for no gathering
 */
export const namingGathering = async (
  database: Database,
  alive: readonly AliveTransaction[],
  { message, details }: Problem,
): Promise<string> => {
  const awaiting = awaitingSchema.safeParse(details);
  for (const at of awaiting.success ? awaiting.data.awaits : []) {
    const replacementChain = await replacementChainOf(database, alive[at]);
    const words =
      replacementChain?.[0].requestBody.kind === "Consolidate" ? wordsOf(replacementChain) : undefined;
    if (words !== undefined) return `${message}; ${words}`;
  }
  return message;
};

/** The replacement chain of a request, from the original request on. */
const replacementChainOf = async (
  database: Database,
  alive: AliveTransaction | undefined,
): Promise<ReplacementChain | undefined> => {
  if (alive === undefined) return undefined;
  const found = await readChainRequest(database, requestIdSchema.parse(alive.requestId));
  if (found === undefined) return undefined;
  let first = found;
  for await (const replaced of replacedBefore(database, found)) first = replaced;
  return readReplacementChain(database, first);
};

/**
 * The act by which the owner can free the coins, according to `ACTS_BY_STAGE`.
 * @returns undefined where they are about to be free
 */
const wordsOf = (replacementChain: ReplacementChain): string | undefined => {
  const gathers = `${replacementChain[0].id} gathers coins of the wallet`;
  switch (requestStageOf(replacementChain)) {
    case "awaits approval":
    case "not signed":
      return `${gathers}: abort it to have them now`;
    case "signed":
    case "sped up":
      return `${gathers}: speed it up to have them sooner`;
    case "being cancelled":
      return `${gathers}: cancel it again to have them sooner`;
    case "replacement not signed":
      return `${gathers}, and ${replacementChain.at(-1)?.id} is about to take its place`;
    case "replaced by its caller":
    case "settled":
      return undefined;
  }
};
