import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withDatabasePassword, withSecretFiles } from "./secret-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-secrets-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const file = (content: string): string => {
  const path = join(folder, "secret");
  writeFileSync(path, content);
  return path;
};

describe("a secret in a file", () => {
  it.each(["a secret", "a secret\n", "a secret\r\n"])("is what stands in it: %j", (content) => {
    const environment = withSecretFiles({ CONCLAVE_NATS_TOKEN_FILE: file(content), OTHER: "stays" });
    expect(environment).toMatchObject({ CONCLAVE_NATS_TOKEN: "a secret", OTHER: "stays" });
  });

  it("is not named by an empty setting", () => {
    expect(withSecretFiles({ DATABASE_PASSWORD_FILE: "", DATABASE_PASSWORD: "here" })).toMatchObject({
      DATABASE_PASSWORD: "here",
    });
  });

  it("INV-9 has to be there, to say something, and to be the only one", () => {
    const nowhere = join(folder, "nowhere");
    expect(() => withSecretFiles({ DATABASE_PASSWORD_FILE: nowhere })).toThrow(
      `DATABASE_PASSWORD_FILE names ${nowhere}, which cannot be read`,
    );
    expect(() => withSecretFiles({ DATABASE_PASSWORD_FILE: file("\n") })).toThrow("which is empty");
    const both = { DATABASE_PASSWORD_FILE: file("one"), DATABASE_PASSWORD: "very secret" };
    expect(() => withSecretFiles(both)).toThrow(
      "DATABASE_PASSWORD and DATABASE_PASSWORD_FILE are both set: leave one out",
    );
  });
});

describe("a database's password", () => {
  it.each(["development", "p@ss/w#rd?:", "100%25 [ü]"])("may have any characters: %s", (password) => {
    const url = withDatabasePassword({
      DATABASE_URL: "postgres://conclave@db:5432/conclave",
      DATABASE_PASSWORD: password,
    });
    const client = new Client({ connectionString: url });
    expect([client.user, client.password, client.host, client.port, client.database]).toEqual([
      "conclave",
      password,
      "db",
      5432,
      "conclave",
    ]);
  });

  it("is the one in the URL when no separate one is set", () => {
    const url = "postgres://conclave:secret@db/conclave";
    expect(withDatabasePassword({ DATABASE_URL: url })).toBe(url);
  });
});
