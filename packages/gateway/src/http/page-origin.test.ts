import { describe, expect, it } from "vitest";
import { pageOriginsSchema } from "./page-origin.ts";

describe("CONCLAVE_CORS_ORIGINS", () => {
  it("names origins, with commas between", () => {
    expect(pageOriginsSchema.parse("localhost, https://app.example,http://127.0.0.1:3000")).toEqual([
      "localhost",
      "https://app.example",
      "http://127.0.0.1:3000",
    ]);
    expect(pageOriginsSchema.parse("")).toEqual([]);
  });

  it.each([
    "*",
    "null",
    "app.example",
    "https://app.example/",
    "https://app.example/path",
    "https://*.example",
    "https://APP.example",
    "ftp://app.example",
    "https://app.example,",
    "https://app.example:443",
  ])("does not take %j, which no browser sends", (text) => {
    expect(pageOriginsSchema.safeParse(text).success).toBe(false);
  });
});
