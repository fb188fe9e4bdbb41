import type { LedgerJson } from "../../json.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Deeper than any request that is served; more would cost an answer its stack. */
const MOST_LEVELS = 10;

/** Clients that let their node sign send keys; this one never signs. @source rippled, src/xrpld/rpc/detail/ServerHandler.cpp */
const SECRETS = new Set(["passphrase", "secret", "seed", "seed_hex"]);

/**
 * A client's request, as an answer can repeat it: secrets are masked, members that lie too deep are null. It was JSON
 * before.
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
