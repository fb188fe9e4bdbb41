import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { replaceFile } from "./replaced-file.ts";

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 32;

/** Writes a file atomically that only its owner may read: a crash leaves either the old or the new file, complete. */
export const writePrivate = (file: string, content: string | Uint8Array): void =>
  replaceFile(file, content, OWNER_ONLY);

/** Reads 32 random bytes in hex from a file, which is created at first use. */
export const keptSecret = (file: string): string => {
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  writePrivate(file, secret);
  return secret;
};
