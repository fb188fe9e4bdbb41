import { readFileSync } from "node:fs";
import { type GivenNetwork, LaunchError } from "@conclave/testbed";
import { z } from "zod";

const entrySchema = z.looseObject({ network: z.string(), family: z.string() });

/**
 * Reads a user's networks file with entries for real nodes. The fields of a family are checked later, by the services.
 * @throws LaunchError when it is no such file
 */
export const readGivenNodes = (file: string): readonly GivenNetwork[] => {
  const remedy =
    "It is a JSON array of entries of the networks file; packages/chains/README.md shows one of each family.";
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new LaunchError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`,
      remedy,
    );
  }
  const parsed = z.array(entrySchema).safeParse(json);
  if (parsed.success) return parsed.data;
  throw new LaunchError(`${file} names no nodes: ${z.prettifyError(parsed.error)}`, remedy);
};
