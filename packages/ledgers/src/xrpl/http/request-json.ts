import type { LedgerJson } from "../../json.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a client sent, as an answer can repeat it. It was JSON before. */
export const requestJson = (value: unknown): LedgerJson => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(requestJson);
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, requestJson(each)]));
};
