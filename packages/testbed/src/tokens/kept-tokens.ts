import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { writePrivate } from "../state/private-file.ts";

const DECIMALS_MAX = 18;

const keptSchema = z.strictObject({
  network: z.string().min(1),
  kind: z.string().min(1),
  symbol: z.string().regex(/^[A-Za-z0-9]{1,12}$/),
  decimals: z.int().min(0).max(DECIMALS_MAX),
  id: z.string().min(1),
  makerKey: z.string().regex(/^[0-9a-f]{64}$/),
});
/** A token that the cluster's operator has made on a local network. */
export type KeptToken = z.infer<typeof keptSchema>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads the tokens of a cluster. @throws LaunchError when the file is not what this wrote */
export const keptTokens = (file: string): readonly KeptToken[] => {
  if (!existsSync(file)) return [];
  const kept = z.array(keptSchema).safeParse(parsed(readFileSync(file, "utf8")));
  if (kept.success) return kept.data;
  throw new LaunchError(
    `${file} is damaged`,
    "Delete it, and make the tokens again; those that it named stay on their chains.",
  );
};

/** Keeps a token in place of one of the same network and symbol. The file is private: it has the makers' keys. */
export const keepToken = (file: string, token: KeptToken): void => {
  const others = keptTokens(file).filter(
    ({ network, symbol }) => network !== token.network || symbol !== token.symbol,
  );
  writePrivate(file, `${JSON.stringify([...others, token], undefined, 2)}\n`);
};
