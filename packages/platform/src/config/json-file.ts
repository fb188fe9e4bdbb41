import { readFile } from "node:fs/promises";
import type { ErrorCode } from "@conclave/custody";
import { z } from "zod";
import { ConfigurationError } from "./environment.ts";

/**
 * Reads a JSON file and parses it.
 *
 * @param what the content of the file, such as "the cluster's roster"; error messages name it and the path
 * @param code the error's code if the file has no such content
 * @throws ConfigurationError
 */
export const readJsonFile = async <T>(
  path: string,
  what: string,
  schema: z.ZodType<T>,
  code?: ErrorCode,
): Promise<T> => {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === "ENOENT" ? ": name the right file, or make it by `conclave provision`" : "";
    throw new ConfigurationError(
      `${what} cannot be read from ${path} (${error.code ?? error.message})${remedy}`,
      code,
    );
  });
  const json = parseJson(text);
  if (json === undefined) throw new ConfigurationError(`${what} in ${path} is not JSON`, code);
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(`${what} in ${path} is not valid:\n${z.prettifyError(parsed.error)}`, code);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
