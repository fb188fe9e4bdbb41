import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UNSERVED } from "../../packages/gateway/src/routes/unserved.ts";

const CLIENTS = "test/node_modules/dfns-sdk-0-8-21/generated";
const ROUTES = "packages/gateway/src/routes";

/** The files below a folder whose names end so, in their order. */
const filesIn = (folder: string, end: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(end))
    .sort()
    .map((file) => join(folder, file));

/** An operation of the newest client library that is driven here. */
export interface ClientOperation {
  /** the client that has it, such as `wallets` */
  readonly area: string;
  readonly name: string;
  /** upper case */
  readonly method: string;
  /** with its parameters in braces */
  readonly path: string;
}

const CALL =
  /async (\w+)\([^)]*\) \{\s*const path = \(0, url_1\.buildPathAndQuery\)\('([^']+)'[\s\S]*?method: '(\w+)'/g;

/** Every operation of SDK 0.8.21, as its generated clients send it. */
export const clientOperations = (): readonly ClientOperation[] =>
  filesIn(CLIENTS, "/client.js").flatMap((file) => {
    const area = file.split("/").at(-2) ?? "";
    return [...readFileSync(file, "utf8").matchAll(CALL)].map(([, name = "", path = "", method = ""]) => ({
      area,
      name,
      method,
      path: path.replace(/:(\w+)/g, "{$1}"),
    }));
  });

/** Of two libraries each names the parameters of a path in its own way. */
const shapeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`;

const SERVED = [/operation\(\s*"(\w+)",\s*"([^"]+)"/g, /method: "(\w+)",\s*path: "([^"]+)"/g] as const;

/** The operations that routes define, as method and path. */
const servedShapes = (): ReadonlySet<string> =>
  new Set(
    filesIn(ROUTES, ".ts")
      .filter((file) => !file.endsWith(".test.ts") && !file.endsWith("unserved.ts"))
      .map((file) => readFileSync(file, "utf8"))
      .flatMap((text) => SERVED.flatMap((pattern) => [...text.matchAll(pattern)]))
      .map(([, method = "", path = ""]) => shapeOf(method, path)),
  );

/** Those that are defined as served and as not served at once: the second would hide the first. */
export const contradictions = (): readonly string[] => {
  const served = servedShapes();
  return UNSERVED.flatMap(({ operations }) => operations)
    .map(([, method, path]) => shapeOf(method, path))
    .filter((shape) => served.has(shape));
};

const NOT_BUILT = "It is not part of this version.";

/** Whether an operation is served, or why not. */
const standingOf = ({ method, path }: ClientOperation, served: ReadonlySet<string>): string => {
  const shape = shapeOf(method, path);
  if (served.has(shape)) return "served";
  const unserved = UNSERVED.find(({ operations }) =>
    operations.some(([, itsMethod, itsPath]) => shapeOf(itsMethod, itsPath) === shape),
  );
  return unserved?.reason ?? NOT_BUILT;
};

/** The table of docs/api.md: operation by operation of the client library, served or why not. */
export const operationTable = (): string => {
  const served = servedShapes();
  const rows = clientOperations().map((operation) => {
    const { area, name, method, path } = operation;
    return `| \`${area}.${name}\` | \`${method} ${path}\` | ${standingOf(operation, served)} |`;
  });
  return [
    "| operation of SDK 0.8.21 | method and path | served, or why not |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
};
