import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";

// the parser is PostgreSQL's own, compiled to WebAssembly, which is loaded once for the process
await loadModule();

/** Parses SQL, as PostgreSQL 18 does. @throws an error of the parser for a text that is no SQL */
export const parseSql = parseSync;

/** Parses a `create function` in PL/pgSQL. */
export const parseRoutine: (text: string) => unknown = parsePlPgSQLSync;
