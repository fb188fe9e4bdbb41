import { describe, expect, it } from "vitest";
import { depositIdSchema, eventIdSchema, idFrom } from "./identifiers.ts";

describe("an id that follows from values", () => {
  it("is the same for the same values, in the form of a fresh one, for ever", () => {
    const id = idFrom(depositIdSchema, "dep", ["wa-1", "Base", "0x01", "value"]);
    expect(id).toMatch(/^dep-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{16}$/);
    expect(id).toBe("dep-4wriy-n0v61-onpa4m83j02sqxax");
  });

  it.each<readonly [string, readonly string[]]>([
    ["another value", ["wa-1", "Base", "0x02", "value"]],
    ["values in another order", ["Base", "wa-1", "0x01", "value"]],
    ["values that are split elsewhere", ["wa-1", "Base", "0x01v", "alue"]],
    ["values that are joined", ["wa-1", "Base", '0x01","value']],
  ])("is another one for %s", (_, values) => {
    expect(idFrom(depositIdSchema, "dep", values)).not.toBe(
      idFrom(depositIdSchema, "dep", ["wa-1", "Base", "0x01", "value"]),
    );
  });

  it("is another one for another kind", () => {
    const [body, other] = [idFrom(depositIdSchema, "dep", ["a"]), idFrom(eventIdSchema, "evt", ["a"])].map(
      (id) => id.slice(4),
    );
    expect(body).not.toBe(other);
  });
});
