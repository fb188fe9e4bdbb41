import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The operations of every client library under test, by library version. */
export const CLIENT_OPERATIONS = "test/vectors/client-operations.json";

/** The generations of the npm library by version, pinned in package.json. `test/compat/python` pins the PyPI library. */
export const NPM_CLIENTS: Readonly<Record<string, string>> = {
  "0.4.3": "dfns-sdk-0-4-3",
  "0.5.8": "dfns-sdk-0-5-8",
  "0.6.12": "dfns-sdk-0-6-12",
  "0.7.18": "dfns-sdk-0-7-18",
  "0.8.3": "@dfns/sdk",
  "0.8.21": "dfns-sdk-0-8-21",
};
export const NEWEST_NPM_CLIENT = "0.8.21";
export const PYTHON_CLIENT = "1.0.4";

/** An operation of a client library. */
export interface ClientOperation {
  /** the client that offers it, such as `wallets` */
  readonly area: string;
  /** as the library spells it */
  readonly name: string;
  /** upper case */
  readonly method: string;
  /** with its parameters in braces */
  readonly path: string;
}

/** The files of that name below a folder, sorted. */
const clientsIn = (folder: string, name: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(`/${name}`))
    .sort();

const NPM_CALL =
  /async (\w+)\([^)]*\) \{\s*const path = \(0, url_1\.buildPathAndQuery\)\('([^']+)'[\s\S]*?method: '(\w+)'/g;

/** Every operation of one generation of the npm library, read from its generated clients. */
export const npmOperations = (version: string): readonly ClientOperation[] => {
  const folder = join("test/node_modules", NPM_CLIENTS[version] ?? "", "generated");
  return clientsIn(folder, "client.js").flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(NPM_CALL)].map(
      ([, name = "", path = "", method = ""]) => ({
        area: areaOf(file),
        name,
        method,
        path: path.replace(/:(\w+)/g, "{$1}"),
      }),
    ),
  );
};

const PYTHON_CALL =
  /^ {4}def (\w+)\((?:(?!^ {4}def )[\s\S])*?self\._http\.request\(\s*method="(\w+)",\s*path="([^"]+)"/gm;

/**
 * Every operation of the Python library, read from its generated clients.
 * @param installed the folder that holds `dfns_sdk`
 */
export const pythonOperations = (installed: string): readonly ClientOperation[] => {
  const folder = join(installed, "dfns_sdk/generated");
  return clientsIn(folder, "client.py").flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(PYTHON_CALL)].map(
      ([, name = "", method = "", path = ""]) => ({ area: areaOf(file), name, method, path }),
    ),
  );
};

const areaOf = (file: string): string => file.split("/").at(-2) ?? "";

/** Method and path without parameter names, which differ between the libraries. */
export const shapeOf = ({ method, path }: Pick<ClientOperation, "method" | "path">): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`;

/** The line of an operation in the lists: `wallets.getWallet GET /wallets/{walletId}`. */
const lineOf = ({ area, name, method, path }: ClientOperation): string => `${area}.${name} ${method} ${path}`;

const LINE = /^(\w+)\.(\w+) ([A-Z]+) (\/\S*)$/;
const lineSchema = z.string().transform((line, context): ClientOperation => {
  const [, area, name, method, path] = LINE.exec(line) ?? [];
  if (area !== undefined && name !== undefined && method !== undefined && path !== undefined) {
    return { area, name, method, path };
  }
  context.addIssue(`no operation: ${line}`);
  return z.NEVER;
});
const listsSchema = z.record(z.string(), z.array(lineSchema).readonly()).readonly();
export type ClientLists = z.infer<typeof listsSchema>;

/** The committed lists. */
export const readClientLists = (): ClientLists =>
  listsSchema.parse(JSON.parse(readFileSync(CLIENT_OPERATIONS, "utf8")));

/** The text of the file for these lists, one line per operation. */
export const textOfLists = (lists: ClientLists): string =>
  `${JSON.stringify(
    Object.fromEntries(Object.entries(lists).map(([version, list]) => [version, list.map(lineOf)])),
    null,
    1,
  )}\n`;
