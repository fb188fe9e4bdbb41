import { readFileSync } from "node:fs";
import { type GivenNetwork, LaunchError } from "@conclave/testbed";
import { z } from "zod";

const entrySchema = z.looseObject({ network: z.string(), family: z.string() });

/**
 * Reads entries of the networks file that a user has written for real nodes. The services check what is their family's.
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
