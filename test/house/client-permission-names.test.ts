import { createPermissionBodySchema } from "@conclave/custody";
import { describe, expect, it } from "vitest";
import { PYTHON_CLIENT } from "./client-operations.ts";
import { readPermissionNames } from "./client-permission-names.ts";

// WRITE_API_TABLE=1 make clients writes the list anew
describe("the names of operations that a permission of a client library can list", () => {
  const operations = readPermissionNames()[PYTHON_CLIENT] ?? [];

  it("are read whole", () => {
    expect(operations.length).toBe(170);
  });

  it("are taken in one permission", () => {
    const asked = createPermissionBodySchema.safeParse({ name: "all of them", operations });
    expect(asked.error?.issues ?? []).toEqual([]);
  });
});
