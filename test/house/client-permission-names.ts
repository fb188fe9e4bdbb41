import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The names of operations that a permission of the vendor's Python library can list, by library version. */
export const CLIENT_PERMISSION_NAMES = "test/vectors/client-permission-names.json";

const listsSchema = z.record(z.string(), z.array(z.string()).readonly()).readonly();

/** The committed lists. */
export const readPermissionNames = (): z.infer<typeof listsSchema> =>
  listsSchema.parse(JSON.parse(readFileSync(CLIENT_PERMISSION_NAMES, "utf8")));

const NAME = /"([A-Z]\w*(?::\w+)+)"/g;

/**
 * Every name that the Python library declares.
 * @param installed the folder that holds `dfns_sdk`
 */
export const pythonPermissionNames = (installed: string): readonly string[] => {
  const text = readFileSync(join(installed, "dfns_sdk/generated/permissions/types.py"), "utf8");
  return [...new Set([...text.matchAll(NAME)].map(([, name = ""]) => name))].sort();
};

/** The text of the file for these lists, one line per name. */
export const textOfNames = (lists: Readonly<Record<string, readonly string[]>>): string =>
  `${JSON.stringify(lists, null, 1)}\n`;
