import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";

/** Loads the parser, PostgreSQL's own in WebAssembly, once for the process: nothing is parsed before. */
export const loadParser: () => Promise<void> = loadModule;

/** Parses SQL, as PostgreSQL 18 does. @throws an error of the parser for a text that is no SQL */
export const parseSql = parseSync;

/** Parses a `create function` in PL/pgSQL. */
export const parseRoutine: (text: string) => unknown = parsePlPgSQLSync;
