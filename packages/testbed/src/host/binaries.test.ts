import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { natsBinary } from "./binaries.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "conclave-binaries-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("nats-server", () => {
  const MISSING = expect.objectContaining({
    message: "nats-server is not installed",
    remedy: expect.stringMatching(/apt install .*brew install .*https:\/\/nats\.io\/download/),
  });

  it("is missing where no folder has it, with a remedy for a machine without make", () => {
    expect(() => natsBinary(["", folder])).toThrow(MISSING);
  });

  it("is taken from the first folder where it can be executed", () => {
    const program = join(folder, "nats-server");
    writeFileSync(program, "");
    expect(() => natsBinary([folder])).toThrow(MISSING);
    chmodSync(program, 0o755);
    expect(natsBinary(["", folder])).toBe(program);
  });
});
