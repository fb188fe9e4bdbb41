import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const OWNER_ONLY = 0o600;
const SECRET_BYTES = 32;

/** Writes a file atomically that only its owner may read: a crash leaves the old or the new file complete. */
export const writePrivate = (file: string, content: string | Uint8Array): void => {
  const fresh = `${file}.${process.pid}.new`;
  writeFileSync(fresh, content, { mode: OWNER_ONLY });
  renameSync(fresh, file);
};

/** Reads 32 random bytes in hex from the file, which is created at first use. */
export const keptSecret = (file: string): string => {
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  const secret = randomBytes(SECRET_BYTES).toString("hex");
  writePrivate(file, secret);
  return secret;
};
