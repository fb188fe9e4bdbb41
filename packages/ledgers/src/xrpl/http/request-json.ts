import type { LedgerJson } from "../../json.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deeper than any request that is served; a limit, because conversion is recursive. */
const MOST_LEVELS = 10;

/**
 * Clients that use a node's signing send secrets; this ledger never signs. @source rippled,
 * src/xrpld/rpc/detail/ServerHandler.cpp
 */
const SECRETS = new Set(["passphrase", "secret", "seed", "seed_hex"]);

/**
 * Makes a request safe to repeat in an answer: secrets are masked, and members nested too deep become null. @param value
 * parsed JSON
 */
export const requestJson = (value: unknown, level = 0): LedgerJson => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (level >= MOST_LEVELS) return null;
  if (Array.isArray(value)) return value.map((each) => requestJson(each, level + 1));
  if (!isObject(value)) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      SECRETS.has(key) ? "<masked>" : requestJson(each, level + 1),
    ]),
  );
};
