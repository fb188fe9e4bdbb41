import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { NPM_CLIENTS } from "./client-operations.ts";

/** The kinds of events that a webhook of each client library can name, by library version. */
export const CLIENT_EVENT_KINDS = "test/vectors/client-event-kinds.json";

const listsSchema = z.record(z.string(), z.array(z.string()).readonly()).readonly();

/** The committed lists. */
export const readEventKinds = (): z.infer<typeof listsSchema> =>
  listsSchema.parse(JSON.parse(readFileSync(CLIENT_EVENT_KINDS, "utf8")));

const KIND = /["']([a-z_]+(?:\.[a-z_]+)+)["']/g;

const kindsIn = (file: string): readonly string[] =>
  [...new Set([...readFileSync(file, "utf8").matchAll(KIND)].map(([, kind = ""]) => kind))].sort();

/** Every kind that one generation of the npm library declares. */
export const npmEventKinds = (version: string): readonly string[] =>
  kindsIn(join("test/node_modules", NPM_CLIENTS[version] ?? "", "generated/webhooks/types.d.ts"));

/**
 * Every kind that the Python library declares.
 * @param installed the folder that holds `dfns_sdk`
 */
export const pythonEventKinds = (installed: string): readonly string[] =>
  kindsIn(join(installed, "dfns_sdk/generated/webhooks/types.py"));

/** The text of the file for these lists, one line per kind. */
export const textOfKinds = (lists: Readonly<Record<string, readonly string[]>>): string =>
  `${JSON.stringify(lists, null, 1)}\n`;
