import { expect, it } from "vitest";
import { z } from "zod";
import { ConfigurationError } from "../../config/environment.ts";
import { freshDatabase } from "../../testing/index.ts";
import { openDatabase } from "../database.ts";
import { refusedLogin } from "./refused-login.ts";

it("INV-9 a login that the database refuses is told as a setting that is wrong", async () => {
  const url = new URL(await freshDatabase());
  url.pathname = "/nowhere";
  const database = openDatabase({ url: url.href, name: "test", maxConnections: 1 });
  const error: unknown = await database.rows(z.unknown(), "select 1").catch((thrown: unknown) => thrown);
  await database.close();
  expect(refusedLogin(error)).toBeInstanceOf(ConfigurationError);
  expect(String(refusedLogin(error))).toMatch(/refuses the login .*nowhere.*check DATABASE_URL/);
});

it("any other error stays what it is", () => {
  const other = Object.assign(new Error("disk full"), { code: "53100" });
  expect(refusedLogin(other)).toBe(other);
});
