import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UNSERVED } from "../../packages/gateway/src/routes/unserved.ts";
import {
  type ClientLists,
  type ClientOperation,
  NEWEST_NPM_CLIENT,
  PYTHON_CLIENT,
  shapeOf,
} from "./client-operations.ts";

const ROUTES = "packages/gateway/src/routes";
const SERVED = [/operation\(\s*"(\w+)",\s*"([^"]+)"/g, /method: "(\w+)",\s*path: "([^"]+)"/g] as const;

/** The served operations, as method and path. */
export const servedShapes = (): ReadonlySet<string> =>
  new Set(
    readdirSync(ROUTES, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "unserved.ts")
      .map((file) => readFileSync(join(ROUTES, file), "utf8"))
      .flatMap((text) => SERVED.flatMap((pattern) => [...text.matchAll(pattern)]))
      .map(([, method = "", path = ""]) => shapeOf({ method, path })),
  );

/** The reasons for which operations are not served, by shape. */
const reasons = (): ReadonlyMap<string, string> =>
  new Map(
    UNSERVED.flatMap(({ reason, operations }) =>
      operations.map(([, method, path]) => [shapeOf({ method, path }), reason] as const),
    ),
  );

/** Operations that are defined both as served and as not served: the route would hide the reason. */
export const contradictions = (): readonly string[] => {
  const served = servedShapes();
  return [...reasons().keys()].filter((shape) => served.has(shape));
};

/** Operations of the client libraries that are neither served nor refused with a reason. */
export const forgotten = (lists: ClientLists): readonly string[] => {
  const known = new Set([...servedShapes(), ...reasons().keys()]);
  const asked = Object.entries(lists).flatMap(([version, list]) =>
    list.filter((each) => !known.has(shapeOf(each))).map(({ area, name }) => `${version} ${area}.${name}`),
  );
  return asked;
};

/** An operation in the newest generation of each library; at least one of them has it. */
interface Row {
  readonly npm: ClientOperation | undefined;
  readonly python: ClientOperation | undefined;
}

const code = ({ area, name }: ClientOperation): string => `\`${area}.${name}\``;
const cell = (operation: ClientOperation | undefined): string =>
  operation === undefined ? "—" : code(operation);

const rowsOf = (lists: ClientLists): readonly (Row & { readonly operation: ClientOperation })[] => {
  const npm = lists[NEWEST_NPM_CLIENT] ?? [];
  const python = lists[PYTHON_CLIENT] ?? [];
  const find = (list: readonly ClientOperation[], shape: string) =>
    list.find((each) => shapeOf(each) === shape);
  const known = new Set(npm.map(shapeOf));
  return [
    ...npm.map((operation) => ({ operation, npm: operation, python: find(python, shapeOf(operation)) })),
    ...python
      .filter((each) => !known.has(shapeOf(each)))
      .map((operation) => ({ operation, npm: undefined, python: operation })),
  ].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
};

const sortKey = ({ operation }: { readonly operation: ClientOperation }): string =>
  `${operation.area}.${operation.name}`.replace(/_/g, "").toLowerCase();

/** The table of docs/api.md: every operation of the two newest client libraries, with `served` or the reason why not. */
export const operationTable = (lists: ClientLists): string => {
  const served = servedShapes();
  const why = reasons();
  const rows = rowsOf(lists).map(({ operation, npm, python }) => {
    const shape = shapeOf(operation);
    const standing = served.has(shape) ? "served" : why.get(shape);
    const { method, path } = operation;
    return `| ${cell(npm)} | ${cell(python)} | \`${method} ${path}\` | ${standing} |`;
  });
  return [
    `| npm ${NEWEST_NPM_CLIENT} | PyPI ${PYTHON_CLIENT} | method and path | served, or why not |`,
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
};
