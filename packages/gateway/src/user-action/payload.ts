import { createHash } from "node:crypto";

/** deeper than the JSON of any request; the function below is recursive */
const DEEPEST = 32;

/**
 * The digest of a request's payload. Texts that parse to the same JSON have the same digest, as clients may sign and
 * send the same body with different spacing (wire interface, section B.3). An empty payload and no body are equal.
 * @returns undefined when the text is not JSON, has a number that is too large, or is nested too deep
 */
export const payloadDigest = (text: string): Uint8Array | undefined => {
  const canonical = text === "" ? "" : canonicalText(text);
  return canonical === undefined
    ? undefined
    : new Uint8Array(createHash("sha256").update(canonical).digest());
};

const canonicalText = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(value, 0);
  } catch {
    return undefined;
  }
};

const canonicalJson = (value: unknown, depth: number): string => {
  if (depth > DEEPEST) throw new RangeError("the payload is nested too deep");
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJson(each, depth + 1)).join(",")}]`;
  // such a number is parsed as infinite and would be written as null, so that two payloads had one digest
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("a number is too large");
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each, depth + 1)}`).join(",")}}`;
};
