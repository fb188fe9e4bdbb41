export type { ModelConnection, RanStatement } from "./connection.ts";
export { type Dump, dumpDatabase, type ReadRows } from "./schema/dump.ts";
export { ModelServer, type ModelServerOptions } from "./server.ts";
export { SqlStateError, UnknownSql } from "./value/sql-error.ts";
