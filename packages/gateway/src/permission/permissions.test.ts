import { type Operation, walletIdSchema } from "@conclave/custody";
import { freshId } from "@conclave/platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../testing/bodies.ts";
import { startWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const as = async (operations: readonly Operation[], method: string, path: string, body?: unknown) => {
  const { caller, token } = await world.tokenOf(operations);
  return { caller, answer: await world.call(method, path, body, { authorization: `Bearer ${token}` }) };
};

describe("a caller without the permission", () => {
  it("is refused with the operation's name, and nothing is written", async () => {
    const before = await world.rows();
    const { caller, answer } = await as(["Wallets:Read"], "POST", "/wallets", { network: "EthereumSepolia" });
    expect([answer.status, errorOf(answer.body).message]).toEqual([
      403,
      `CustomerEmployee ${caller.userId} is not authorized to perform operation (Wallets:Create)`,
    ]);
    expect(errorOf(answer.body).details).toMatchObject({
      code: "PermissionMissing",
      operation: "Wallets:Create",
    });
    expect(await world.rows()).toBe(before);
  });

  it("is refused before its body is judged", async () => {
    const { answer } = await as([], "POST", "/wallets", "no JSON");
    expect(answer.status).toBe(403);
  });

  it("learns nothing of what is there", async () => {
    const { answer } = await as([], "GET", `/wallets/${freshId(walletIdSchema, "wa")}`);
    expect(answer.status).toBe(403);
  });
});

describe("a caller with the permission", () => {
  it("passes", async () => {
    const { answer } = await as(["Wallets:Read"], "GET", "/wallets");
    expect(answer.status).toBe(200);
  });

  it.each<Operation>(["Wallets:ReadTransfer", "Wallets:Transfers:Read"])(
    "passes by the name of either generation: %s",
    async (operation) => {
      const path = `/wallets/${freshId(walletIdSchema, "wa")}/transfers`;
      const { answer } = await as([operation], "GET", path);
      expect([answer.status, errorOf(answer.body).details.code]).toEqual([404, "WalletNotFound"]);
    },
  );

  it.each<readonly [readonly Operation[], string]>([
    [["Wallets:Import", "Signers:ListSigners"], "InvalidBody"],
    [["Keys:Import", "Wallets:Create"], "InvalidBody"],
    [["Keys:Import", "Signers:ListSigners"], "PermissionMissing"],
    [["Wallets:Import", "Wallets:Create"], "PermissionMissing"],
    [["Wallets:Import"], "PermissionMissing"],
    [["Keys:Import"], "PermissionMissing"],
  ])("imports wallets by the two names of one generation together: %j is %s", async (operations, code) => {
    const { answer } = await as(operations, "POST", "/wallets/import", {});
    expect(errorOf(answer.body).details.code).toBe(code);
  });

  it("passes no longer once its user is deactivated", async () => {
    const { caller, token } = await world.tokenOf(["Wallets:Read"]);
    await world.database.execute("update users set is_active = false where id = $1", [caller.userId]);
    const answer = await world.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}` });
    expect([answer.status, errorOf(answer.body).details.code]).toEqual([401, "TokenInvalid"]);
  });

  it("passes no longer once the permission is archived", async () => {
    const { token } = await world.tokenOf(["Wallets:Read"]);
    await world.database.execute("update permissions set is_archived = true where operations = $1", [
      JSON.stringify(["Wallets:Read"]),
    ]);
    const answer = await world.call("GET", "/wallets", undefined, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(403);
  });
});
