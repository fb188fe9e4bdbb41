import { expect, it } from "vitest";
import { databaseUrlIn } from "./database-url.ts";

it("takes a database's address and its password from the environment, apart or together", () => {
  expect(databaseUrlIn({})).toBeUndefined();
  expect(databaseUrlIn({ DATABASE_URL: "postgres://me:secret@db/one" })).toBe("postgres://me:secret@db/one");
  const apart = { DATABASE_URL: "postgres://me@db/one", DATABASE_PASSWORD: "a/b" };
  expect(databaseUrlIn(apart)).toBe("postgres://me:a%2Fb@db/one");
});

it("INV-9 says which file of a password it cannot read", () => {
  const environment = { DATABASE_URL: "postgres://me@db/one", DATABASE_PASSWORD_FILE: "/nowhere" };
  expect(() => databaseUrlIn(environment)).toThrow(
    "DATABASE_PASSWORD_FILE names /nowhere, which cannot be read",
  );
});
